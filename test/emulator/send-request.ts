import { request } from 'undici';
import { findIssues, type Model } from '../../src/schema/model.js';
import { type Emulator, seeded } from '../../src/testing/index.js';

export interface RequestOptions {
  /** `Authorization` header. Default: the seed's token. Null omits the header. */
  readonly auth?: string | null | undefined;
  /** Body. A string is sent unchanged, and any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A response with its parsed JSON. */
export interface ParsedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare responses of any shape
  readonly data: any;
}

export const origin = 'http://code.test';
export const api = `${origin}/api/v3`;

/** Returns an `Authorization` header for Basic authentication. */
export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Basic credentials of the seed's user. */
export const mona = basic(seeded.login, seeded.password);

/**
 * Sends an in-process request to an emulator with undici.
 * @param what Method and path, such as `GET /teams/1` (below the API) or
 * `POST /login/oauth/authorize`.
 */
export async function sendRequest(
  emulator: Emulator,
  what: string,
  how: RequestOptions = {},
): Promise<ParsedResponse> {
  const space = what.indexOf(' ');
  const path = what.slice(space + 1);
  const url = /^\/(?:api|login|archives|assets)\//.test(path) ? origin + path : api + path;
  const { auth = `token ${seeded.token}`, body, headers = {} } = how;
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const response = await request(url, {
    method: what.slice(0, space) as 'GET', // `as`: undici's type lists only the methods it knows.
    dispatcher: emulator.dispatcher(),
    headers: {
      'user-agent': 'asking',
      ...(auth === null ? {} : { authorization: auth }),
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
  const received = await response.body.text();
  const isJson = String(response.headers['content-type']).includes('json') && received !== '';
  const data: unknown = isJson ? JSON.parse(received) : undefined;
  return { status: response.statusCode, headers: response.headers, text: received, data };
}

/**
 * Returns functions that send in-process requests to the current emulator. `getStatus` returns only
 * the response's status.
 */
export function callHosting(emulator: () => Emulator) {
  const send = (what: string, how?: RequestOptions) => sendRequest(emulator(), what, how);
  const getStatus = async (what: string, how?: RequestOptions) => (await send(what, how)).status;
  return { send, getStatus };
}

/** Expects a value to match a model. Returns the value. */
export function validate<T>(model: Model<T>, value: unknown): T {
  const issues = findIssues(model, value);
  if (issues) throw new Error(`${model.name}: ${JSON.stringify(issues)}`);
  return value as T; // `as`: a value without issues is a T.
}
