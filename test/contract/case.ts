import type { HostingAuth, OAuthWebFlow } from '../../src/hosting/index.js';
import type { HostingClient } from '../../src/index.js';

/** What a call is held against on the wire, and the answer that it gets. */
export interface Exchange {
  /** Path and query below the base URL, exactly as sent. */
  readonly url: string;
  /** The JSON body; undefined is none. */
  readonly body?: unknown;
  /** The form body, as it was sent. */
  readonly form?: string;
  /** Any other body, as text, with its media type. */
  readonly raw?: { readonly type: string; readonly text: string };
  /** Default `application/vnd.service.v3+json`. */
  readonly accept?: string;
  readonly status: number;
  /** The JSON that is answered, or a text; default an empty body. */
  readonly reply?: unknown;
  /** Default `application/json` for JSON. */
  readonly replyType?: string;
  readonly location?: string;
  /** Default: what was answered. */
  readonly result?: unknown;
  /** The `code` of the error where the call rejects. */
  readonly error?: string;
}

/** One row of the contract's endpoint tables, tried once. Rows with several successes or values have several cases. */
export interface Case<Client> extends Exchange {
  /** Method and path as the contract writes them; of a method outside the contract, as it would. */
  readonly row: string;
  /** The method of the client, as errors name it. */
  readonly operation: string;
  /** Not in the contract: from public documentation. */
  readonly outside?: true;
  /** @param origin of the server that answers. */
  readonly call: (client: Client, origin: string) => PromiseLike<unknown>;
}

/** A case of the hosting API. */
export interface HostingCase extends Case<HostingClient> {
  /** Default a token in the header. */
  readonly auth?: HostingAuth;
}

/** A case of the OAuth web flow. */
export type OAuthCase = Case<OAuthWebFlow>;

export const basic = { type: 'basic', username: 'mona', password: 'octocat: 1' } as const;
export const application = {
  type: 'application',
  clientId: 'abcde12345abcde12345',
  clientSecret: 'abcdefghij1234567890abcdefghij1234567890',
} as const;
export const token = { type: 'token', token: 'e72e16c7e42f292c6912e7710c838347ae178b4a' } as const;

/** The repository of all cases. */
export const here = { owner: 'mona', repo: 'sandbox' } as const;
/** Its path. */
export const place = '/repos/mona/sandbox';
export const sha = '9bf22dff54fd6a7650230b70417b55e8cccfc4f2';

/** The body of a 404. */
export const missing = { message: 'Not Found' };
