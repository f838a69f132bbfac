import { describeKind, isRecord } from '../../schema/unknown-values.js';
import type { Call, JsonCall } from '../../transport/api-client.js';
import { buildMediaType } from '../../transport/http/media-type.js';
import { findList } from '../../transport/pagination/offset-pages.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import {
  defineEndpoint,
  type Endpoint,
  json,
  list,
  noContent,
  unspecified,
} from '../../transport/request/endpoint.js';
import { collectLeaves } from '../../transport/request/fields.js';
import {
  createInputError,
  filledText,
  flag,
  oneOf,
  optional,
  type PageInput,
  paging,
  rule,
  texts,
} from '../../transport/request/input.js';

import { Hook, type HookEvent, HookService } from '../models/index.js';
import {
  type HostingListOptions,
  type HostingRequestOptions,
  HostingResource,
  inRepo,
  inRepoById,
  type RepoIdInput,
  type RepoInput,
  type RepoListInput,
} from './common.js';

/** Value of a hook setting in a request. */
export type HookSetting = string | number | boolean | null | undefined;

/**
 * Settings of a hook. The declared fields belong to the generic `web` service. `hooks.listServices`
 * lists the settings of other services. The client sends booleans as `1` and `0`, which is how the
 * server stores them.
 */
export interface HookSettings {
  /** URL that receives the deliveries. Required for the `web` service. */
  readonly url?: string | undefined;
  /** Encoding of deliveries. `form` sends JSON in the `payload` form parameter. Default: `form`. */
  readonly content_type?: 'json' | 'form' | undefined;
  /** Secret for signing deliveries. Default: none, so deliveries are unsigned. */
  readonly secret?: string | undefined;
  /**
   * Whether to skip certificate verification. With `0` or false, the server verifies the
   * certificate. Default: `0`.
   */
  readonly insecure_ssl?: '0' | '1' | boolean | undefined;
  /** Settings of other services. */
  readonly [setting: string]: HookSetting;
}

/** Validates that settings are an object of scalar values. */
const settings = rule(
  'an object of strings, numbers and booleans',
  (value) =>
    isRecord(value) &&
    Object.values(value).every(
      (each) => each === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof each),
    ),
  {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
);

/** Converts booleans to `1` and `0`, as the server stores them. */
function toWireConfig(config: HookSettings): Record<string, HookSetting> {
  const convert = (value: HookSetting) => (typeof value === 'boolean' ? `${+value}` : value);
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, convert(value)]));
}

/** Settings that never contain secrets. */
const harmless = new Set(['url', 'content_type', 'insecure_ssl']);

/**
 * Returns the values to mask. Each service has its own names for tokens and passwords, so every
 * setting that isn't known to be harmless is treated as secret.
 */
function secretSettings(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!harmless.has(name)) return collectLeaves(value);
    return typeof value === 'string' ? urlPassword(value) : [];
  });
}

/** Returns two forms of the password in a URL: percent-encoded and decoded. */
function urlPassword(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // Use a password with a stray percent sign as is.
  }
}

/** Input of {@link Hooks.create}. */
export interface CreateHook extends RepoInput {
  /** Name of the service. `web` is the generic webhook service. */
  readonly name: string;
  /** Settings of the service. The `web` service requires `url`. */
  readonly config: HookSettings;
  /**
   * Events to subscribe to. `['*']` subscribes to all events, including future events. The server
   * rejects events that the service doesn't support. The `web` service supports all events.
   * Default: the service's default events, such as `['push']` for `web`.
   */
  readonly events?: readonly HookEvent[] | undefined;
  /** Whether the server sends deliveries. Default: true (set by the server). */
  readonly active?: boolean | undefined;
}

/** Input of {@link Hooks.update}. Omitted fields keep their value. */
export interface UpdateHook extends RepoIdInput {
  /**
   * Settings that replace all current settings. The server removes omitted settings, including the
   * secret.
   */
  readonly config?: HookSettings | undefined;
  /** Events that replace all current events. */
  readonly events?: readonly HookEvent[] | undefined;
  /** Events to add. */
  readonly add_events?: readonly HookEvent[] | undefined;
  /** Events to remove. */
  readonly remove_events?: readonly HookEvent[] | undefined;
  /** Whether the server sends deliveries. */
  readonly active?: boolean | undefined;
}

const listHooks = defineEndpoint<RepoListInput>('GET /repos/{owner}/{repo}/hooks')({
  operation: 'hooks.list',
  input: { ...inRepo, ...paging },
  response: list(Hook),
});

const getHook = defineEndpoint<RepoIdInput>('GET /repos/{owner}/{repo}/hooks/{id}')({
  operation: 'hooks.get',
  input: inRepoById,
  response: json(Hook),
});

const createHook = defineEndpoint<CreateHook>('POST /repos/{owner}/{repo}/hooks')({
  operation: 'hooks.create',
  input: {
    ...inRepo,
    name: filledText,
    config: settings,
    events: optional(texts),
    active: optional(flag),
  },
  check: ({ name, config }) => {
    if (name !== 'web') return;
    if (!filledText.test(config.url)) {
      const why = `must be a URL if name is 'web' (got ${describeKind(config.url)})`;
      throw createInputError('config.url', why, 'hooks.create');
    }
  },
  serialize: (input) => ({ ...input, config: toWireConfig(input.config) }),
  secret: ({ config }) => secretSettings(config),
  response: json(Hook),
});

const updateHook = defineEndpoint<UpdateHook>('PATCH /repos/{owner}/{repo}/hooks/{id}')({
  operation: 'hooks.update',
  input: {
    ...inRepoById,
    config: optional(settings),
    events: optional(texts),
    add_events: optional(texts),
    remove_events: optional(texts),
    active: optional(flag),
  },
  serialize: (input) => ({ ...input, config: input.config && toWireConfig(input.config) }),
  secret: ({ config = {} }) => secretSettings(config),
  response: json(Hook),
});

const testHook = defineEndpoint<RepoIdInput>('POST /repos/{owner}/{repo}/hooks/{id}/tests')({
  operation: 'hooks.test',
  input: inRepoById,
  response: noContent,
});

const pingHook = defineEndpoint<RepoIdInput>('POST /repos/{owner}/{repo}/hooks/{id}/pings')({
  operation: 'hooks.ping',
  input: inRepoById,
  response: noContent,
});

const deleteHook = defineEndpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/hooks/{id}')({
  operation: 'hooks.delete',
  input: inRepoById,
  response: noContent,
});

const listServices = defineEndpoint<PageInput>('GET /hooks')({
  operation: 'hooks.listServices',
  input: paging,
  response: {
    ...unspecified(list(HookService)),
    unwrap: (value) => findList(value, 'services'),
  },
});

/**
 * A repository's webhooks and service hooks. All methods except `listServices` require admin
 * access. A repository can have several `web` hooks, but only one hook for each other service.
 */
export class Hooks extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/hooks`
   *
   * Lists a repository's hooks.
   * @throws {NotFoundError} if the repository doesn't exist or the caller has no admin access.
   * @example for await (const each of hosting.hooks.list({ owner, repo })) console.log(each);
   */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Hook> {
    return this.api.list(listHooks, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/hooks/{id}`
   *
   * Returns a hook. Most servers mask the hook's secret.
   * @throws {NotFoundError} if the hook doesn't exist or the caller has no admin access.
   * @example const { events } = await hosting.hooks.get({ owner, repo, id: 1 });
   */
  get(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<Hook> {
    return this.api.call(getHook, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/hooks`
   *
   * Creates a hook. The server then sends a `ping` event to the hook. If a service other than `web`
   * already has a hook, the server updates that hook and responds with 200 instead of 201. To get
   * the status, use `withResponse()`.
   * @throws {InvalidRequestError} if `config.url` is missing for `web`.
   * @throws {NotFoundError} if the repository doesn't exist or the caller has no admin access.
   * @throws {UnprocessableError} if the server rejects the service, a setting or an event.
   * @example await hosting.hooks.create({ owner, repo, name: 'web', config: { url: 'https://example.com/hook', secret } });
   */
  create(input: CreateHook, options?: HostingRequestOptions): JsonCall<Hook> {
    return this.api.call(createHook, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/hooks/{id}`
   *
   * Updates a hook. `config` and `events` replace the current values entirely. If you pass
   * `config`, include `secret` to keep deliveries signed.
   * @throws {NotFoundError} if the hook doesn't exist or the caller has no admin access.
   * @throws {UnprocessableError} if the server rejects a setting or an event.
   * @example await hosting.hooks.update({ owner, repo, id: 1, active: false });
   */
  update(input: UpdateHook, options?: HostingRequestOptions): JsonCall<Hook> {
    return this.api.call(updateHook, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/hooks/{id}/tests`
   *
   * Triggers the hook with the latest push. If the hook isn't subscribed to `push`, the server
   * delivers nothing but still reports success (204).
   * @throws {NotFoundError} if the hook doesn't exist or the caller has no admin access.
   * @example await hosting.hooks.test({ owner, repo, id: 1 });
   */
  test(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(testHook, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/hooks/{id}/pings`
   *
   * Sends a `ping` event to the hook.
   * @throws {NotFoundError} if the hook doesn't exist or the caller has no admin access.
   * @example await hosting.hooks.ping({ owner, repo, id: 1 });
   */
  ping(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(pingHook, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/hooks/{id}`
   *
   * Deletes a hook.
   * @throws {NotFoundError} if the hook doesn't exist or the caller has no admin access.
   * @example await hosting.hooks.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteHook, input, options);
  }

  /**
   * `GET /hooks`
   *
   * Lists the services that hooks can deliver to, including each service's events and settings.
   * @remarks The API doesn't specify the type of the list's items, so the client accepts items of
   * any type.
   * @example for await (const service of hosting.hooks.listServices()) console.log(service.name);
   */
  listServices(input: PageInput = {}, options?: HostingListOptions): Paginated<HookService> {
    return this.api.list(listServices, input, options);
  }
}

/** Input of {@link Hub.subscribe} and {@link Hub.unsubscribe}. */
export interface HubInput {
  /**
   * Secret for signing deliveries (`X-Hub-Signature`). Default: none, so deliveries are unsigned.
   */
  readonly 'hub.secret'?: string | undefined;
  /**
   * URL of the topic, which is the web interface's URL followed by `/:owner/:repo/events/:event`.
   * Example: `https://code.example.com/acme/rocket/events/push`. For raw JSON deliveries, append
   * `.json`.
   */
  readonly 'hub.topic': string;
  /**
   * URL (`http` or `https`) that receives the deliveries. For a service, use
   * `service://<service>?<setting>=<value>`, with the service's settings as query parameters. If
   * you set `vendor`, use that name as the scheme, as in `github://irc?room=a`.
   */
  readonly 'hub.callback'?: string | undefined;
  /**
   * Whether to request raw JSON deliveries instead of JSON in the `payload` form parameter. If
   * true, the client sends `Accept: application/json`. Default: false.
   */
  readonly json?: boolean | undefined;
}

const modes = ['subscribe', 'unsubscribe'] as const;

type Mode = (typeof modes)[number];

const fields = {
  'hub.topic': filledText,
  'hub.callback': optional(filledText),
  'hub.secret': optional(filledText),
};

/**
 * Returns the values to mask: the secret, and the service settings and password in the callback
 * URL.
 */
function collectHubSecrets(input: HubInput): string[] {
  const { 'hub.callback': callback = '', 'hub.secret': secret } = input;
  const settings = URL.canParse(callback) ? new URL(callback).searchParams : [];
  return [
    ...(secret ? [secret] : []),
    ...secretSettings(Object.fromEntries(settings)),
    ...urlPassword(callback),
  ];
}

function hubEndpoint(mode: Mode): Endpoint<HubInput, void> {
  return defineEndpoint<HubInput>('POST /hub')({
    operation: `hub.${mode}`,
    encoding: 'form',
    input: { ...fields, json: optional(flag) },
    serialize: (fields) => ({ 'hub.mode': mode, ...fields }),
    fields: { 'hub.mode': oneOf(...modes), ...fields },
    unsent: ['json'],
    secret: collectHubSecrets,
    accept: (media, { json }) => (json === true ? 'application/json' : buildMediaType(media)),
    auth: 'basic',
    response: noContent,
  });
}

const subscribe = hubEndpoint('subscribe');
const unsubscribe = hubEndpoint('unsubscribe');

/**
 * PubSubHubbub endpoint for hooks. It accepts only Basic authentication. With a different scheme,
 * calls throw a `ConfigurationError` without sending a request.
 */
export class Hub extends HostingResource {
  /**
   * `POST /hub`
   *
   * Subscribes a callback to a topic. You can repeat the call safely, because the server updates an
   * existing hook.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {UnprocessableError} if the topic or the callback is invalid, or the caller has no
   * admin access to the repository.
   * @example await hosting.hub.subscribe({ 'hub.topic': 'https://code.example.com/acme/rocket/events/push', 'hub.callback': 'https://example.com/hook' });
   */
  subscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(subscribe, input, options);
  }

  /**
   * `POST /hub`
   *
   * Unsubscribes a callback from a topic. You can repeat the call safely.
   * @throws {ConfigurationError} if the call doesn't use Basic authentication.
   * @throws {UnprocessableError} if the topic or the callback is invalid, or the caller has no
   * admin access to the repository.
   * @example await hosting.hub.unsubscribe({ 'hub.topic': 'https://code.example.com/acme/rocket/events/push', 'hub.callback': 'https://example.com/hook' });
   */
  unsubscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(unsubscribe, input, options);
  }
}
