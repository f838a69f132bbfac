import type { Call, JsonCall } from '../../transport/call.js';
import { anyListIn } from '../../transport/pagination/offset-pages.js';
import type { Paginated } from '../../transport/pagination/paginated.js';
import { endpoint, json, list, nothing, unspecified } from '../../transport/request/endpoint.js';
import {
  filledText,
  flag,
  optional,
  type PageInput,
  paging,
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
import {
  checkSettings,
  type HookSettings,
  type ServiceSettings,
  secretSettings,
  settings,
  toWireConfig,
  type WebHookSettings,
  wrongSetting,
} from './hook-config.js';

/** Input of {@link Hooks.create}. */
export interface CreateHook<Service extends string = string> extends RepoInput {
  /** Name of the service: `web` for the generic one. */
  readonly name: Service;
  /** Settings of the service. `url` is required for `web`. */
  readonly config: string extends Service
    ? HookSettings
    : Service extends 'web'
      ? WebHookSettings
      : ServiceSettings;
  /**
   * Default `['push']`; services have defaults of their own. `['*']` is all events, also those to come.
   * A hook can subscribe only to events that its service supports; `web` supports all.
   */
  readonly events?: readonly HookEvent[] | undefined;
  /** Whether deliveries are sent. Default: the server's own, true. */
  readonly active?: boolean | undefined;
}

/** Input of {@link Hooks.update}: what is not given stays. */
export interface UpdateHook extends RepoIdInput {
  /**
   * Replaces all settings: omitted ones are removed, including the secret. `content_type` and
   * `insecure_ssl` are validated as for the service `web`.
   */
  readonly config?: HookSettings | undefined;
  /** Replaces all events. */
  readonly events?: readonly HookEvent[] | undefined;
  /** Events to add. */
  readonly add_events?: readonly HookEvent[] | undefined;
  /** Events to take away. */
  readonly remove_events?: readonly HookEvent[] | undefined;
  /** Whether deliveries are sent. */
  readonly active?: boolean | undefined;
}

const listHooks = endpoint<RepoListInput>('GET /repos/{owner}/{repo}/hooks')({
  operation: 'hooks.list',
  input: { ...inRepo, ...paging },
  answer: list(Hook),
});

const getHook = endpoint<RepoIdInput>('GET /repos/{owner}/{repo}/hooks/{id}')({
  operation: 'hooks.get',
  input: inRepoById,
  answer: json(Hook),
});

/** The input of any service. */
interface NewHook extends Omit<CreateHook, 'config'> {
  readonly config: ServiceSettings;
}

const createHook = endpoint<NewHook>('POST /repos/{owner}/{repo}/hooks')({
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
      throw wrongSetting(
        'hooks.create',
        'url',
        "the URL for deliveries, which the service 'web' needs",
      );
    }
    checkSettings('hooks.create', config);
  },
  serialize: (input) => ({ ...input, config: toWireConfig(input.config) }),
  secret: ({ config }) => secretSettings(config),
  answer: json(Hook),
});

const updateHook = endpoint<UpdateHook>('PATCH /repos/{owner}/{repo}/hooks/{id}')({
  operation: 'hooks.update',
  input: {
    ...inRepoById,
    config: optional(settings),
    events: optional(texts),
    add_events: optional(texts),
    remove_events: optional(texts),
    active: optional(flag),
  },
  check: ({ config = {} }) => checkSettings('hooks.update', config),
  serialize: (input) => ({ ...input, config: input.config && toWireConfig(input.config) }),
  secret: ({ config = {} }) => secretSettings(config),
  answer: json(Hook),
});

const testHook = endpoint<RepoIdInput>('POST /repos/{owner}/{repo}/hooks/{id}/tests')({
  operation: 'hooks.test',
  input: inRepoById,
  answer: nothing,
});

const pingHook = endpoint<RepoIdInput>('POST /repos/{owner}/{repo}/hooks/{id}/pings')({
  operation: 'hooks.ping',
  input: inRepoById,
  answer: nothing,
});

const deleteHook = endpoint<RepoIdInput>('DELETE /repos/{owner}/{repo}/hooks/{id}')({
  operation: 'hooks.delete',
  input: inRepoById,
  answer: nothing,
});

const listServices = endpoint<PageInput>('GET /hooks')({
  operation: 'hooks.listServices',
  input: paging,
  answer: {
    ...unspecified(list(HookService)),
    unwrap: (value) => anyListIn(value, 'services'),
  },
});

/**
 * Webhooks and service hooks of a repository. Needs admin access to it.
 * A repository may have several hooks of the service `web`, and one of any other.
 */
export class Hooks extends HostingResource {
  /**
   * `GET /repos/{owner}/{repo}/hooks`
   *
   * Hooks of a repository.
   * @throws {NotFoundError}
   * @example for await (const each of hosting.hooks.list({ owner, repo })) console.log(each);
   */
  list(input: RepoListInput, options?: HostingListOptions): Paginated<Hook> {
    return this.api.list(listHooks, input, options);
  }

  /**
   * `GET /repos/{owner}/{repo}/hooks/{id}`
   *
   * One hook. Servers mask its secret.
   * @throws {NotFoundError}
   * @example await hosting.hooks.get({ owner, repo, id: 1 });
   */
  get(input: RepoIdInput, options?: HostingRequestOptions): JsonCall<Hook> {
    return this.api.call(getHook, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/hooks`
   *
   * Makes a hook; a `ping` is delivered to it. A service other than `web` that has a hook already gets
   * it changed instead, and then `response.status` of `withResponse()` is 200, not 201.
   * @throws {InvalidRequestError} `config.url` is missing for `web`.
   * @throws {UnprocessableError} an unknown service, or an event that it does not support.
   * @example await hosting.hooks.create({ owner, repo, name: 'web', config: { url: 'https://example.com/hook', secret } });
   */
  create<Service extends string>(
    input: CreateHook<Service>,
    options?: HostingRequestOptions,
  ): JsonCall<Hook> {
    return this.api.call(createHook, input, options);
  }

  /**
   * `PATCH /repos/{owner}/{repo}/hooks/{id}`
   *
   * Changes a hook. `config` and `events` replace what was there as a whole: give `config.secret` again,
   * or deliveries are no longer signed.
   * @throws {InvalidRequestError} a `config.content_type` or `config.insecure_ssl` that the service does not know.
   * @throws {NotFoundError}
   * @throws {UnprocessableError}
   * @example await hosting.hooks.update({ owner, repo, id: 1, active: false });
   */
  update(input: UpdateHook, options?: HostingRequestOptions): JsonCall<Hook> {
    return this.api.call(updateHook, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/hooks/{id}/tests`
   *
   * Triggers the hook with the latest push. A hook that is not subscribed to `push` gets nothing, and
   * the server says that all is well (204).
   * @throws {NotFoundError}
   * @example await hosting.hooks.test({ owner, repo, id: 1 });
   */
  test(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(testHook, input, options);
  }

  /**
   * `POST /repos/{owner}/{repo}/hooks/{id}/pings`
   *
   * Sends the event `ping` to the hook.
   * @throws {NotFoundError}
   * @example await hosting.hooks.ping({ owner, repo, id: 1 });
   */
  ping(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(pingHook, input, options);
  }

  /**
   * `DELETE /repos/{owner}/{repo}/hooks/{id}`
   *
   * Deletes a hook.
   * @throws {NotFoundError}
   * @example await hosting.hooks.delete({ owner, repo, id: 1 });
   */
  delete(input: RepoIdInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(deleteHook, input, options);
  }

  /**
   * `GET /hooks`
   *
   * Services that hooks can deliver to, with their events and settings.
   * @remarks The interface doesn't specify the response: any JSON is accepted.
   * @example for await (const service of hosting.hooks.listServices()) console.log(service.name);
   */
  listServices(input: PageInput = {}, options?: HostingListOptions): Paginated<HookService> {
    return this.api.list(listServices, input, options);
  }
}
