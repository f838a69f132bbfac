import { InvalidRequestError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { type Endpoint, endpoint, nothing } from '../transport/endpoint.js';
import { filledText, flag, optional } from '../transport/input.js';
import { acceptFor } from '../transport/media-type.js';
import { checkPathValue } from '../transport/path-values.js';
import { expandUrl } from '../transport/uri-template.js';
import type { HostingCaller, HostingRequestOptions, RepoInput } from './caller.js';
import { secretSettings, urlPassword } from './hook-config.js';
import type { HookEvent } from './models/index.js';

/** Names what happens in a repository. */
export interface HubTopic extends RepoInput {
  readonly event: HookEvent;
  /** Deliver raw JSON, by a `.json` suffix. Default false: JSON in the form parameter `payload`. */
  readonly json?: boolean | undefined;
}

/** Input of {@link Hub.unsubscribe}. */
export interface HubInput {
  /** `{web_url}/:owner/:repo/events/:event`, as {@link Hub.topic} builds it; `.json` at the end asks for raw JSON. */
  readonly 'hub.topic': string;
  /**
   * Where updates go: an http or https URL, or `<vendor>://<service>?<setting>=<value>` for a service with
   * its settings as query parameters.
   */
  readonly 'hub.callback': string;
  /** Asks by `Accept: application/json` for deliveries of raw JSON. Default false: JSON in the form parameter `payload`. */
  readonly json?: boolean | undefined;
}

/** Input of {@link Hub.subscribe}. */
export interface HubSubscription extends HubInput {
  /** Key of the deliveries' signature `X-Hub-Signature`. Default none: deliveries are not signed. */
  readonly 'hub.secret'?: string | undefined;
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
    'hub.topic',
  );
}

function checkCallback(operation: string, callback: string, vendor: string): void {
  const url = URL.canParse(callback) ? new URL(callback) : undefined;
  const schemes = ['http:', 'https:', `${vendor.toLowerCase()}:`];
  if (url && schemes.includes(url.protocol) && url.host !== '') return;
  throw new InvalidRequestError(
    `${operation}: hub.callback: expected a URL that begins with http://, https:// or ${vendor}://`,
    'hub.callback',
  );
}

/** What must never be shown: the key, and settings of a service in the callback's query. */
function secretsOf(input: HubSubscription): string[] {
  const { 'hub.callback': callback, 'hub.secret': secret } = input;
  const settings = URL.canParse(callback) ? new URL(callback).searchParams : [];
  return [
    ...(secret === undefined ? [] : [secret]),
    ...secretSettings(Object.fromEntries(settings)),
    ...urlPassword(callback),
  ].filter((each) => each !== '');
}

/** The endpoint of one mode; topics and callbacks are held against the client's own addresses. */
function hubEndpoint(mode: Mode, webUrl: string, vendor: string): Endpoint<HubSubscription, void> {
  const operation = `hub.${mode}`;
  return endpoint<HubSubscription>()({
    operation,
    method: 'POST',
    path: '/hub',
    encoding: 'form',
    input: {
      'hub.topic': filledText,
      'hub.callback': filledText,
      'hub.secret': optional(filledText),
      json: optional(flag),
    },
    check: (input) => {
      checkTopic(operation, input['hub.topic'], webUrl);
      checkCallback(operation, input['hub.callback'], vendor);
    },
    wire: ({ json: _json, ...fields }) => ({ 'hub.mode': mode, ...fields }),
    secret: secretsOf,
    accept: (media, { json }) => (json === true ? 'application/json' : acceptFor(media)),
    auth: 'basic',
    answer: nothing,
  });
}

/**
 * The publish/subscribe hub (contract section "Publish/subscribe hub"). It accepts only Basic
 * authentication: any other scheme is a `ConfigurationError`, and nothing is sent.
 */
export class Hub {
  readonly #caller: HostingCaller;
  readonly #webUrl: string;
  readonly #subscribe: Endpoint<HubSubscription, void>;
  readonly #unsubscribe: Endpoint<HubSubscription, void>;

  /** @param webUrl the human-facing address, without a slash at its end. */
  constructor(caller: HostingCaller, webUrl: string) {
    const { vendor } = caller.transport.settings.media;
    this.#caller = caller;
    this.#webUrl = webUrl;
    this.#subscribe = hubEndpoint('subscribe', webUrl, vendor);
    this.#unsubscribe = hubEndpoint('unsubscribe', webUrl, vendor);
  }

  /**
   * The URL of a topic below the client's `webUrl`. Sends nothing.
   * @throws {InvalidRequestError} a name that can not stand in a path.
   */
  topic({ owner, repo, event, json }: HubTopic): string {
    const names = {
      owner: checkPathValue('owner', owner),
      repo: checkPathValue('repo', repo),
      event: checkPathValue('event', event),
    };
    const suffix = json === true ? '.json' : '';
    // The event `*` stands as it is: nothing in it needs to be escaped.
    const place = expandUrl('/{owner}/{repo}/events/', names);
    return `${this.#webUrl}${place}${event === '*' ? '*' : expandUrl('{event}', names)}${suffix}`;
  }

  /**
   * Sends events of a topic to a callback. May be repeated: an existing hook is changed.
   * @throws {InvalidRequestError} `hub.topic` is no topic, or `hub.callback` has another scheme.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {UnprocessableError} a topic that does not exist or is not the caller's.
   */
  subscribe(input: HubSubscription, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(this.#subscribe, input, options);
  }

  /**
   * Ends what {@link subscribe} began. May be repeated.
   * @throws {InvalidRequestError} `hub.topic` is no topic, or `hub.callback` has another scheme.
   * @throws {ConfigurationError} credentials other than Basic.
   * @throws {UnprocessableError} a topic that does not exist or is not the caller's.
   */
  unsubscribe(input: HubInput, options?: HostingRequestOptions): Call<void> {
    return this.#caller.call(this.#unsubscribe, input, options);
  }
}
