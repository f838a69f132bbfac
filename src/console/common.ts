import type { ResponseInfo } from '../response-info.js';
import { type ApiClient, Resource } from '../transport/api-client.js';
import { stripParameters } from '../transport/http/redact.js';
import type { AuthOptions } from '../transport/options.js';
import type { ResponseSpec } from '../transport/request/endpoint.js';
import { type ConsoleAuth, credentialParameters } from './auth.js';

/** API client with credentials for the Management Console API. */
export type ConsoleApi = ApiClient<ConsoleAuth>;

export abstract class ConsoleResource extends Resource<ConsoleAuth> {}

/** Options for one call. `auth` overrides the client's credentials. */
export type ConsoleRequestOptions = AuthOptions<ConsoleAuth>;

/** Schema of JSON that is sent as the text of a form field. */
export const jsonTextSchema = { type: 'string', contentMediaType: 'application/json' };

/** Result of a request that the appliance accepted and continues to process. */
export interface Accepted {
  /**
   * URL that reports the progress, such as `…/setup/api/configcheck`. Undefined if the server
   * doesn't send one.
   */
  readonly location: string | undefined;
}

/** A 202 response with an optional `Location` header. */
export const accepted: ResponseSpec<Accepted> = {
  kind: 'none',
  schema: undefined,
  map: (_nothing, response) => ({ location: findLocation(response) }),
};

function findLocation({ headers, url }: ResponseInfo): string | undefined {
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, url)) return undefined;
  return stripParameters(new URL(location, url).href, credentialParameters);
}
