import { createHmac } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { errorMessage } from '../../schema/unknown-values.js';
import { sha1 } from '../random.js';
import { isControlPath } from '../sites.js';
import { vendorHeader } from '../vendor.js';
import type { HookRecord } from './records/hook.js';

/** A hook delivery. */
export interface HookDelivery {
  /** GUID in `X-<Vendor>-Delivery`. */
  readonly id: string;
  /** ID of the hook. */
  readonly hookId: number;
  /** Name of the event, such as `push`. */
  readonly event: string;
  /** URL of the callback. */
  readonly url: string;
  /** Headers as sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body exactly as signed and sent. */
  readonly body: string;
  /** Status of the callback's response. Undefined if no response has arrived. */
  status: number | undefined;
  /** Reason why there is no response. */
  error: string | undefined;
}

/** Returns whether deliveries may be sent to a URL. */
export type DeliveryPolicy = (url: URL) => boolean;

/** Maximum number of recorded deliveries. */
const mostSent = 1000;
/** Maximum length of all recorded bodies, in characters. */
const mostOfBodies = 64 * 1_048_576;
/** End of each delivery's `User-Agent`. */
const agentName = ' Hookshot';
/**
 * Returns whether a URL points to this machine. This is the default policy, because a test must not
 * accidentally call a server on the internet.
 */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Sends signed deliveries to real callback URLs, in the background. */
export class Deliveries {
  /** Last 1000 deliveries, oldest first. Fewer if their bodies exceed 64 MiB. */
  readonly sent: HookDelivery[] = [];
  /** Allowed URLs. Deliveries to other URLs are recorded with an error. Default: this machine only. */
  allow: DeliveryPolicy = isLoopback;
  #count = 0;
  readonly #pending = new Map<Promise<void>, ClientRequest>();

  /** @param patience maximum duration of a delivery, including the response, in ms. */
  constructor(
    private readonly vendor: string,
    private readonly patience = 10_000,
  ) {}

  /**
   * Sends an event to a hook of the generic web service. Other services get no HTTP requests.
   * @param cause headers of the request that caused the event.
   */
  send(hook: HookRecord, event: string, payload: object, cause: Headers): void {
    if (hook.name !== 'web') return;
    const { url = '', content_type: type = 'form', secret } = hook.config;
    const json = JSON.stringify(payload);
    const body = type === 'json' ? json : new URLSearchParams({ payload: json }).toString();
    const id = guid(`${this.#count} ${hook.id} ${event}`);
    const headers: Record<string, string> = {
      'content-type': type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `${this.vendor.charAt(0).toUpperCase()}${this.vendor.slice(1)}${agentName}`,
      [vendorHeader(this.vendor, 'Event')]: event,
      [vendorHeader(this.vendor, 'Delivery')]: id,
    };
    if (secret !== undefined && secret !== '') {
      headers['X-Hub-Signature'] = `sha1=${hmac('sha1', secret, body)}`;
      headers['X-Hub-Signature-256'] = `sha256=${hmac('sha256', secret, body)}`;
    }
    const delivery: HookDelivery = {
      id,
      hookId: hook.id,
      event,
      url,
      headers,
      body,
      status: undefined,
      error: undefined,
    };
    this.sent.push(delivery);
    let size = this.sent.reduce((sum, each) => sum + each.body.length, 0);
    while (this.sent.length > mostSent || size > mostOfBodies) {
      size -= this.sent.shift()?.body.length ?? 0;
    }
    this.#count += 1;
    this.#dispatch(hook, delivery, cause);
  }

  /** Waits until every delivery has received a response or failed. Each delivery takes at most 10 s. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending.keys());
  }

  /** Cancels deliveries in progress. */
  async stop(): Promise<void> {
    for (const request of this.#pending.values())
      request.destroy(new Error('the emulator stopped'));
    await this.settled();
  }

  /** Cancels deliveries in progress, clears the recorded deliveries and restores the default policy. */
  clear(): void {
    for (const request of this.#pending.values()) request.destroy();
    this.sent.length = 0;
    this.#count = 0;
    this.allow = isLoopback;
  }

  #dispatch(hook: HookRecord, delivery: HookDelivery, cause: Headers): void {
    const fail = (message: string) => {
      delivery.error = message;
      hook.lastResponse = { code: null, status: 'connection_error', message };
    };
    const url = URL.canParse(delivery.url) ? new URL(delivery.url) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return void fail('the URL must use http or https');
    // A delivery to the control pages could reset the emulator and remove a test's data.
    if (isControlPath(url.pathname))
      return void fail("deliveries to the emulator's control pages are not allowed");
    // Prevents endless loops, also through several emulators.
    if (cause.get('user-agent')?.endsWith(agentName))
      return void fail('deliveries that another delivery causes are not sent');
    if (!this.allow(url)) {
      return void fail(
        'deliveries to this URL are disabled. To enable them, call emulator.hosting.allowDeliveries().',
      );
    }
    const headers = { ...delivery.headers };
    // Limits the time of the whole delivery, because a receiver may send its response slowly.
    const signal = AbortSignal.timeout(this.patience);
    // Without a connection pool, no connection stays open after the test.
    const options = { method: 'POST', headers, signal, agent: false };
    const rejectUnauthorized = hook.config.insecure_ssl !== '1';
    let request: ClientRequest;
    try {
      request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, rejectUnauthorized })
          : requestHttp(url, options);
    } catch (error) {
      // Node can't send to every valid URL. For example, it can't decode the username `%zz`.
      return void fail(errorMessage(error));
    }
    const done = new Promise<void>((resolve) => {
      request.once('response', (response) => {
        const code = response.statusCode ?? 0;
        delivery.status = code;
        const status = code < 300 ? 'active' : 'invalid';
        hook.lastResponse = { code, status, message: response.statusMessage ?? null };
        response.resume();
      });
      request.once('error', ({ message }) =>
        fail(signal.aborted ? 'the callback took too long' : message),
      );
      request.once('close', resolve);
    });
    this.#pending.set(done, request);
    void done.then(() => this.#pending.delete(done));
    request.end(delivery.body);
  }
}

function hmac(algorithm: string, secret: string, body: string): string {
  return createHmac(algorithm, secret).update(body).digest('hex');
}

function guid(seed: string): string {
  const hex = sha1('delivery', seed).slice(0, 32);
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
