import type { ResponseInfo } from '../response-info.js';
import { stripParameters } from '../transport/http/redact.js';
import type { ResponseSpec } from '../transport/request/endpoint.js';
import { credentialParameters } from './auth.js';

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
