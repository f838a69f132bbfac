import type { ResponseInfo } from '../response-info.js';
import { stripParameters } from '../transport/http/redact.js';
import type { ResponseSpec } from '../transport/request/endpoint.js';

/** Result of a request that the appliance accepted and continues to process. */
export interface Accepted {
  /**
   * URL that reports the progress (`…/setup/api/configcheck`). Undefined if the server doesn't send
   * one.
   */
  readonly location: string | undefined;
}

/** Declares a 202 response with an optional `Location` header. */
export function accepted(credentialParameters: ReadonlySet<string>): ResponseSpec<Accepted> {
  return {
    kind: 'none',
    schema: undefined,
    map: (_nothing, response) => ({ location: findLocation(response, credentialParameters) }),
  };
}

function findLocation(response: ResponseInfo, names: ReadonlySet<string>): string | undefined {
  const { location } = response.headers;
  if (location === undefined || !URL.canParse(location, response.url)) return undefined;
  return stripParameters(new URL(location, response.url).href, names);
}
