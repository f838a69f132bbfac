import type { Call } from '../../transport/api-client.js';
import { buildMediaType } from '../../transport/http/media-type.js';
import { defineEndpoint, type Endpoint, noContent } from '../../transport/request/endpoint.js';
import {
  checkPathValue,
  createInputError,
  filledText,
  flag,
  oneOf,
  optional,
} from '../../transport/request/input.js';
import { expandUrlTemplate } from '../../transport/request/uri-template.js';
import type { HookEvent } from '../models/index.js';
import {
  type HostingApi,
  type HostingRequestOptions,
  HostingResource,
  type RepoInput,
} from './common.js';
import { secretSettings, urlPassword } from './hooks.js';

/** Input that identifies an event in a repository. */
export interface HubTopic extends RepoInput {
  /** Name of the event, for example `push`. */
  readonly event: HookEvent;
  /**
   * Whether to add `.json` to the topic's URL so that deliveries contain raw JSON instead of JSON
   * in the `payload` form parameter. Default: false.
   */
  readonly json?: boolean | undefined;
}

/** Input of {@link Hub.subscribe} and {@link Hub.unsubscribe}. */
export interface HubInput {
  /**
   * Secret that signs deliveries (`X-Hub-Signature`). Default: none, so deliveries are unsigned.
   */
  readonly 'hub.secret'?: string | undefined;
  /**
   * URL of the topic: `{web_url}/:owner/:repo/events/:event`, as {@link Hub.topic} builds it. A
   * `.json` suffix selects raw JSON.
   */
  readonly 'hub.topic': string;
  /**
   * Destination of deliveries: an http or https URL, or `service://<service>?<setting>=<value>` for
   * a service, with its settings as query parameters. The client's `vendor` is also a valid scheme.
   */
  readonly 'hub.callback'?: string | undefined;
  /**
   * Whether to send `Accept: application/json`, which selects raw JSON deliveries instead of JSON
   * in the `payload` form parameter. Default: false.
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

/** Path of a topic: `/:owner/:repo/events/:event`. */
const topicPath = /^\/[^/?#]+\/[^/?#]+\/events\/[^/?#.]+(?:\.json)?$/;

function checkTopic(operation: string, topic: string, webUrl: string): void {
  // If the topic starts with `webUrl`, `/:owner/:repo/events/:event` must follow directly.
  // Otherwise, it must be the URL's entire path.
  const origin = /^https?:\/\/[^/?#]+/i.exec(topic)?.[0];
  const start = topic.startsWith(`${webUrl}/`) ? webUrl : origin;
  if (start && URL.canParse(topic) && topicPath.test(topic.slice(start.length))) return;
  const why =
    'must be a URL with the path /:owner/:repo/events/:event. Build the URL with hub.topic({ owner, repo, event }).';
  throw createInputError('hub.topic', why, operation);
}

function checkCallback(operation: string, callback: string, vendor: string): void {
  const url = URL.canParse(callback) ? new URL(callback) : undefined;
  const schemes = ['http:', 'https:', 'service:', `${vendor.toLowerCase()}:`];
  if (url && schemes.includes(url.protocol) && url.host !== '') return;
  const why = `must be a URL that begins with http://, https:// or ${vendor}:// (got ${url ? url.protocol : 'an invalid URL'})`;
  throw createInputError('hub.callback', why, operation);
}

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

/**
 * Builds the endpoint for subscribing or unsubscribing. The endpoint checks the topic against
 * the client's `webUrl`, and the callback's scheme against `vendor`.
 */
function hubEndpoint(mode: Mode, webUrl: string, vendor: string): Endpoint<HubInput, void> {
  const operation = `hub.${mode}`;
  return defineEndpoint<HubInput>('POST /hub')({
    operation,
    encoding: 'form',
    input: { ...fields, json: optional(flag) },
    check: (input) => {
      checkTopic(operation, input['hub.topic'], webUrl);
      const callback = input['hub.callback'];
      if (callback !== undefined) checkCallback(operation, callback, vendor);
    },
    serialize: (fields) => ({ 'hub.mode': mode, ...fields }),
    fields: { 'hub.mode': oneOf(...modes), ...fields },
    unsent: ['json'],
    secret: collectHubSecrets,
    accept: (media, { json }) => (json === true ? 'application/json' : buildMediaType(media)),
    auth: 'basic',
    response: noContent,
  });
}

/**
 * PubSubHubbub endpoint for hooks. It accepts only Basic authentication. With a different scheme,
 * calls throw a `ConfigurationError` without sending a request.
 */
export class Hub extends HostingResource {
  readonly #webUrl: string;
  readonly #subscribe: Endpoint<HubInput, void>;
  readonly #unsubscribe: Endpoint<HubInput, void>;

  /** @param webUrl URL of the web interface, without a trailing slash. */
  constructor(api: HostingApi, webUrl: string) {
    super(api);
    const { vendor } = api.transport.settings.media;
    this.#webUrl = webUrl;
    this.#subscribe = hubEndpoint('subscribe', webUrl, vendor);
    this.#unsubscribe = hubEndpoint('unsubscribe', webUrl, vendor);
  }

  /**
   * Returns a topic's URL under the client's `webUrl`. Sends no request.
   * @throws {InvalidRequestError} if `owner`, `repo` or `event` can't be a path segment.
   * @example const topic = hosting.hub.topic({ owner, repo, event: 'push' });
   */
  topic({ owner, repo, event, json }: HubTopic): string {
    const names = {
      owner: checkPathValue('owner', owner),
      repo: checkPathValue('repo', repo),
      event: checkPathValue('event', event),
    };
    const suffix = json === true ? '.json' : '';
    // Escaping would turn the event `*` into `%2A`.
    const place = expandUrlTemplate('/{owner}/{repo}/events/', names);
    return `${this.#webUrl}${place}${event === '*' ? '*' : expandUrlTemplate('{event}', names)}${suffix}`;
  }

  /**
   * `POST /hub`
   *
   * Subscribes a callback to a topic. Safe to repeat, because the server updates an existing hook.
   * @throws {InvalidRequestError} if `hub.topic` isn't a topic URL, or `hub.callback` has an
   * unsupported scheme.
   * @throws {ConfigurationError} if the credentials aren't Basic.
   * @throws {UnprocessableError} if the topic doesn't exist or the caller has no access to it.
   * @example await hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/hook' });
   */
  subscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(this.#subscribe, input, options);
  }

  /**
   * `POST /hub`
   *
   * Unsubscribes a callback from a topic. Safe to repeat.
   * @throws {InvalidRequestError} if `hub.topic` isn't a topic URL, or `hub.callback` has an
   * unsupported scheme.
   * @throws {ConfigurationError} if the credentials aren't Basic.
   * @throws {UnprocessableError} if the topic doesn't exist or the caller has no access to it.
   * @example await hosting.hub.unsubscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/hook' });
   */
  unsubscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(this.#unsubscribe, input, options);
  }
}
