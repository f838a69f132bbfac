import type { ResponseInfo } from '../response-info.js';
import { stripParameters } from '../transport/http/redact.js';
import type { Answer } from '../transport/request/endpoint.js';

/** The appliance has taken the request, and works on it. */
export interface Accepted {
  /** Where to ask how far it is (`…/setup/api/configcheck`); undefined where the server does not say. */
  readonly location: string | undefined;
}

/** 202, with `Location` where the server sends one. */
export function accepted(credentialParameters: ReadonlySet<string>): Answer<Accepted> {
  return {
    kind: 'none',
    schema: undefined,
    map: (_nothing, response) => ({ location: locationOf(response, credentialParameters) }),
  };
}

function locationOf(response: ResponseInfo, names: ReadonlySet<string>): string | undefined {
  const { location } = response.headers;
  if (location === undefined || !URL.canParse(location, response.url)) return undefined;
  return stripParameters(new URL(location, response.url).href, names);
}
