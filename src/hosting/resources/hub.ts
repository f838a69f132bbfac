import { InvalidRequestError } from '../../errors/index.js';
import type { Call } from '../../transport/call.js';
import { acceptFor } from '../../transport/http/media-type.js';
import { type Endpoint, endpoint, nothing } from '../../transport/request/endpoint.js';
import { checkPathValue, filledText, flag, optional } from '../../transport/request/input.js';
import { expandUrlTemplate } from '../../transport/request/uri-template.js';
import type { HookEvent } from '../models/index.js';
import {
  type HostingApi,
  type HostingRequestOptions,
  HostingResource,
  type RepoInput,
} from './common.js';
import { secretSettings, urlPassword } from './hook-config.js';

/** Names what happens in a repository. */
export interface HubTopic extends RepoInput {
  /** Name of the event, as `push`. */
  readonly event: HookEvent;
  /** Deliver raw JSON, by a `.json` suffix. Default false: JSON in the form parameter `payload`. */
  readonly json?: boolean | undefined;
}

/** Input of {@link Hub.subscribe} and {@link Hub.unsubscribe}. */
export interface HubInput {
  /** Key of the deliveries' signature `X-Hub-Signature`. Default none: deliveries are not signed. */
  readonly 'hub.secret'?: string | undefined;
  /** `{web_url}/:owner/:repo/events/:event`, as {@link Hub.topic} builds it; `.json` at the end asks for raw JSON. */
  readonly 'hub.topic': string;
  /**
   * Destination of updates: an http or https URL, or `service://<service>?<setting>=<value>` for a
   * service with its settings as query parameters. The client's `vendor` may replace the word `service`.
   */
  readonly 'hub.callback'?: string | undefined;
  /** Asks by `Accept: application/json` for deliveries of raw JSON. Default false: JSON in the form parameter `payload`. */
  readonly json?: boolean | undefined;
}

type Mode = 'subscribe' | 'unsubscribe';

/** The place of a topic: `/:owner/:repo/events/:event`. */
const topicPath = /\/[^/?#]+\/[^/?#]+\/events\/[^/?#.]+(?:\.json)?$/;

function checkTopic(operation: string, topic: string, webUrl: string): void {
  const url = URL.canParse(topic) ? new URL(topic) : undefined;
  const whole = /^https?:\/\/[^/?#]+/i.exec(topic)?.[0] ?? '';
  // Behind the web address nothing may stand between; another address has no path of its own.
  const path = topic.startsWith(`${webUrl}/`)
    ? topic.slice(webUrl.length)
    : topic.slice(whole.length);
  if (url && whole !== '' && topicPath.exec(path)?.index === 0) return;
  throw new InvalidRequestError(
    `${operation}: hub.topic: expected a URL with the path /:owner/:repo/events/:event, as hub.topic({ owner, repo, event }) builds it`,
    { field: 'hub.topic' },
  );
}

function checkCallback(operation: string, callback: string, vendor: string): void {
  const url = URL.canParse(callback) ? new URL(callback) : undefined;
  const schemes = ['http:', 'https:', 'service:', `${vendor.toLowerCase()}:`];
  if (url && schemes.includes(url.protocol) && url.host !== '') return;
  throw new InvalidRequestError(
    `${operation}: hub.callback: expected a URL that begins with http://, https:// or ${vendor}://`,
    { field: 'hub.callback' },
  );
}

/** What must never be shown: the key, and settings of a service in the callback's query. */
function secretsOf(input: HubInput): string[] {
  const { 'hub.callback': callback = '', 'hub.secret': secret } = input;
  const settings = URL.canParse(callback) ? new URL(callback).searchParams : [];
  return [
    ...(secret ? [secret] : []),
    ...secretSettings(Object.fromEntries(settings)),
    ...urlPassword(callback),
  ];
}

/** The endpoint of one mode; topics and callbacks are held against the client's own addresses. */
function hubEndpoint(mode: Mode, webUrl: string, vendor: string): Endpoint<HubInput, void> {
  const operation = `hub.${mode}`;
  return endpoint<HubInput>('POST /hub')({
    operation,
    encoding: 'form',
    input: {
      'hub.topic': filledText,
      'hub.callback': optional(filledText),
      'hub.secret': optional(filledText),
      json: optional(flag),
    },
    check: (input) => {
      checkTopic(operation, input['hub.topic'], webUrl);
      const callback = input['hub.callback'];
      if (callback !== undefined) checkCallback(operation, callback, vendor);
    },
    serialize: (fields) => ({ 'hub.mode': mode, ...fields }),
    unsent: ['json'],
    secret: secretsOf,
    accept: (media, { json }) => (json === true ? 'application/json' : acceptFor(media)),
    auth: 'basic',
    answer: nothing,
  });
}

/**
 * The publish/subscribe hub. It accepts only Basic
 * authentication: any other scheme is a `ConfigurationError`, and nothing is sent.
 */
export class Hub extends HostingResource {
  readonly #webUrl: string;
  readonly #subscribe: Endpoint<HubInput, void>;
  readonly #unsubscribe: Endpoint<HubInput, void>;

  /** @param webUrl the human-facing address, without a slash at its end. */
  constructor(api: HostingApi, webUrl: string) {
    super(api);
    const { vendor } = api.transport.settings.media;
    this.#webUrl = webUrl;
    this.#subscribe = hubEndpoint('subscribe', webUrl, vendor);
    this.#unsubscribe = hubEndpoint('unsubscribe', webUrl, vendor);
  }

  /**
   * The URL of a topic below the client's `webUrl`. Sends nothing.
   * @throws {InvalidRequestError} a name that can not stand in a path.
   * @example const topic = hosting.hub.topic({ owner, repo, event: 'push' });
   */
  topic({ owner, repo, event, json }: HubTopic): string {
    const names = {
      owner: checkPathValue('owner', owner),
      repo: checkPathValue('repo', repo),
      event: checkPathValue('event', event),
    };
    const suffix = json === true ? '.json' : '';
    // The event `*` stands as it is: nothing in it needs to be escaped.
    const place = expandUrlTemplate('/{owner}/{repo}/events/', names);
    return `${this.#webUrl}${place}${event === '*' ? '*' : expandUrlTemplate('{event}', names)}${suffix}`;
  }

  /**
   * `POST /hub`
   *
   * Sends events of a topic to a callback. May be repeated: an existing hook is changed.
   * @throws {InvalidRequestError} `hub.topic` is no topic, or `hub.callback` has another scheme.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {UnprocessableError} a topic that does not exist or is not the caller's.
   * @example await hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/hook' });
   */
  subscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(this.#subscribe, input, options);
  }

  /**
   * `POST /hub`
   *
   * Ends what {@link subscribe} began. May be repeated.
   * @throws {InvalidRequestError} `hub.topic` is no topic, or `hub.callback` has another scheme.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {UnprocessableError} a topic that does not exist or is not the caller's.
   * @example await hosting.hub.unsubscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com/hook' });
   */
  unsubscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.api.call(this.#unsubscribe, input, options);
  }
}
