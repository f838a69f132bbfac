import type { Call } from '../../transport/api-client.js';
import { buildMediaType } from '../../transport/http/media-type.js';
import { defineEndpoint, type Endpoint, noContent } from '../../transport/request/endpoint.js';
import {
  checkPathValue,
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
  readonly #webUrl: string;

  /** @param webUrl URL of the web interface, without a trailing slash. */
  constructor(api: HostingApi, webUrl: string) {
    super(api);
    this.#webUrl = webUrl;
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
   * @throws {ConfigurationError} if the credentials aren't Basic.
   * @throws {UnprocessableError} if the topic or the callback is invalid, or the caller has no access to the
   * topic.
   * @example await hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/hook' });
   */
  subscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(subscribe, input, options);
  }

  /**
   * `POST /hub`
   *
   * Unsubscribes a callback from a topic. Safe to repeat.
   * @throws {ConfigurationError} if the credentials aren't Basic.
   * @throws {UnprocessableError} if the topic or the callback is invalid, or the caller has no access to the
   * topic.
   * @example await hosting.hub.unsubscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/hook' });
   */
  unsubscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(unsubscribe, input, options);
  }
}
