import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac } from 'node:crypto';
import { type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { errorMessage } from '../../schema/unknown-values.js';
import { sha1 } from '../random.js';
import { isControlPath } from '../sites.js';
import { vendorHeader } from '../vendor.js';
import type { HookRecord } from './repo-state.js';

/** A delivery of a hook. */
export interface Delivery {
  /** The GUID in `X-<Vendor>-Delivery`. */
  readonly id: string;
  /** Id of the hook. */
  readonly hookId: number;
  /** Name of the event, as `push`. */
  readonly event: string;
  /** Where it was sent to. */
  readonly url: string;
  /** Header fields as they were sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** Exactly what was signed and sent. */
  readonly body: string;
  /** Status of the callback's answer; undefined while it is awaited, and where there was none. */
  status: number | undefined;
  /** Why there was no answer. */
  error: string | undefined;
}

/** Decides where deliveries may go. */
export type DeliveryPolicy = (url: URL) => boolean;

/** More are not kept. */
const mostSent = 1000;
/** Maximum characters of all bodies that are kept. */
const mostCharacters = 16 * 1_048_576;

/** Only this machine: a test that names a callback on the internet must not reach it. */
export function toLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/** Sends signed deliveries to real callback URLs, in the background. */
export class Deliveries {
  /** The last 1000 that were sent, with bodies of at most 16 Mi characters in total, oldest first. */
  readonly sent: Delivery[] = [];
  /** Where deliveries may go. Default this machine only; elsewhere they are recorded with an error. */
  allow: DeliveryPolicy = toLoopback;
  readonly #vendor: string;
  readonly #patience: number;
  /** Set during a request that is itself a delivery. */
  readonly #cause = new AsyncLocalStorage<boolean>();
  #count = 0;
  #characters = 0;
  readonly #pending = new Map<Promise<void>, ClientRequest>();

  /** @param patience milliseconds from the start of a delivery to the end of its response. */
  constructor(vendor: string, patience = 10_000) {
    this.#vendor = vendor;
    this.#patience = patience;
  }

  /** Answers a request. If it is a delivery, of whatever emulator, it causes no further one. */
  during<T>({ headers }: Request, answer: () => T): T {
    return this.#cause.run(headers.has(vendorHeader(this.#vendor, 'Delivery')), answer);
  }

  /** Sends an event to a hook of the generic web service; other services get nothing by HTTP. */
  send(hook: HookRecord, event: string, payload: object): void {
    if (hook.name !== 'web') return;
    const { url = '', content_type: type = 'form', secret } = hook.config;
    const json = JSON.stringify(payload);
    const body = type === 'json' ? json : new URLSearchParams({ payload: json }).toString();
    const id = guid(`${this.#count} ${hook.id} ${event}`);
    const headers: Record<string, string> = {
      'content-type': type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `${this.#vendor.charAt(0).toUpperCase()}${this.#vendor.slice(1)} Hookshot`,
      [vendorHeader(this.#vendor, 'Event')]: event,
      [vendorHeader(this.#vendor, 'Delivery')]: id,
    };
    if (secret !== undefined && secret !== '') {
      headers['X-Hub-Signature'] = `sha1=${hmac('sha1', secret, body)}`;
      headers['X-Hub-Signature-256'] = `sha256=${hmac('sha256', secret, body)}`;
    }
    const delivery: Delivery = {
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
    this.#characters += body.length;
    while (this.sent.length > mostSent || this.#characters > mostCharacters) {
      this.#characters -= this.sent.shift()?.body.length ?? 0;
    }
    this.#count += 1;
    this.#dispatch(hook, delivery);
  }

  /** Comes back when every delivery was answered or failed, which takes 10 s at most for each. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending.keys());
  }

  /** Gives up what is under way. */
  async stop(): Promise<void> {
    for (const request of this.#pending.values())
      request.destroy(new Error('the emulator stopped'));
    await this.settled();
  }

  /** Forgets everything. */
  clear(): void {
    for (const request of this.#pending.values()) request.destroy();
    this.sent.length = 0;
    this.#count = 0;
    this.#characters = 0;
    this.allow = toLoopback;
  }

  #dispatch(hook: HookRecord, delivery: Delivery): void {
    const fail = (message: string) => {
      delivery.error = message;
      hook.lastResponse = { code: null, status: 'connection_error', message };
    };
    const url = URL.canParse(delivery.url) ? new URL(delivery.url) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return void fail('not an http or https URL');
    // A hook that resets the emulator would remove itself and everything that a test has set up.
    if (isControlPath(url.pathname))
      return void fail("deliveries do not go to the emulator's control pages");
    // A hook may call the route that tests it, without end.
    if (this.#cause.getStore())
      return void fail('a delivery caused this one: deliveries end there');
    if (!this.allow(url)) {
      return void fail('deliveries go to this machine only, unless the emulator is told otherwise');
    }
    const headers = { ...delivery.headers };
    // Bounds the whole delivery: a receiver may trickle its response.
    const signal = AbortSignal.timeout(this.#patience);
    // A connection of its own, so that none stays open after the test.
    const options = { method: 'POST', headers, signal, agent: false };
    const rejectUnauthorized = hook.config.insecure_ssl !== '1';
    let request: ClientRequest;
    try {
      request =
        url.protocol === 'https:'
          ? requestHttps(url, { ...options, rejectUnauthorized })
          : requestHttp(url, options);
    } catch (error) {
      // Node cannot send to every valid URL: a user name of `%zz`, for one, can't be decoded.
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
