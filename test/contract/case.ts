import type { HostingAuth, OAuthWebFlow } from '../../src/hosting/index.js';
import type { HostingClient } from '../../src/index.js';

/** A call's expected request and the response to send. */
export interface Exchange {
  /** Exact path and query below the base URL. */
  readonly url: string;
  /** JSON body. Undefined if there is none. */
  readonly body?: unknown;
  /** Exact form body. */
  readonly form?: string;
  /** Body that is neither JSON nor a form, as text with its media type. */
  readonly raw?: { readonly type: string; readonly text: string };
  /** `Accept` header. Default: `application/vnd.service.v3+json`. */
  readonly accept?: string;
  /** Default: see {@link withStatus}. */
  readonly status?: number;
  /** Response body: JSON or text. Default: an empty body. */
  readonly reply?: unknown;
  /** The response's media type. Default: `application/json` for JSON. */
  readonly replyType?: string;
  readonly location?: string;
  /** Expected result. Default: the response body. */
  readonly result?: unknown;
  /** Expected `code` of the error if the call rejects. */
  readonly error?: string;
}

/**
 * One case for a row in the contract's endpoint tables. A row with several success statuses or
 * input values has several cases.
 */
export interface Case<Client> extends Exchange {
  /** HTTP method and path as in the contract. Endpoints that are not in the contract use the same style. */
  readonly row: string;
  /** The client method's name, as shown in errors. */
  readonly operation: string;
  /** Set if public documentation specifies the endpoint, but the contract doesn't. */
  readonly notInContract?: true;
  /**
   * Makes the call.
   * @param origin The server's origin.
   */
  readonly call: (client: Client, origin: string) => PromiseLike<unknown>;
}

/** A case for the hosting API. */
export interface HostingCase extends Case<HostingClient> {
  /** Credentials. Default: a token in the header. */
  readonly auth?: HostingAuth;
}

/** Adds the default status to each case: 200 for a response with a body, otherwise 204. */
export function withStatus<Each extends Pick<Exchange, 'status' | 'reply'>>(
  cases: readonly Each[],
): (Each & { readonly status: number })[] {
  return cases.map((each) => ({ status: each.reply === undefined ? 204 : 200, ...each }));
}

/** A case for the OAuth web flow. */
export type OAuthCase = Case<OAuthWebFlow>;

export const basic = { type: 'basic', username: 'mona', password: 'octocat: 1' } as const;
export const application = {
  type: 'application',
  clientId: 'abcde12345abcde12345',
  clientSecret: 'abcdefghij1234567890abcdefghij1234567890',
} as const;
export const token = { type: 'token', token: 'e72e16c7e42f292c6912e7710c838347ae178b4a' } as const;

/** Repository that all cases use. */
export const here = { owner: 'mona', repo: 'sandbox' } as const;
/** API path of {@link here}. */
export const place = '/repos/mona/sandbox';
export const sha = '9bf22dff54fd6a7650230b70417b55e8cccfc4f2';

/** Body of a 404 response. */
export const missing = { message: 'Not Found' };
