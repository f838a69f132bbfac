import { stripParameters } from '../masks/secrets.js';
import type { ResponseInfo } from '../response-info.js';
import { type ApiClient, Resource } from '../transport/api-client.js';
import type { AuthOptions } from '../transport/options.js';
import type { StreamBody } from '../transport/request/body.js';
import type { Endpoint, ResponseSpec } from '../transport/request/endpoint.js';
import { type BuildContext, buildRequest } from '../transport/request/request-spec.js';
import { type ConsoleAuth, credentialParameters } from './auth.js';

/** API client with credentials for the Management Console API. */
export type ConsoleApi = ApiClient<ConsoleAuth>;

export abstract class ConsoleResource extends Resource<ConsoleAuth> {}

/** Options for one call. `auth` overrides the client's credentials. */
export type ConsoleRequestOptions = AuthOptions<ConsoleAuth>;

/** Schema of JSON that is sent as the text of a form field. */
export const jsonTextSchema = { type: 'string', contentMediaType: 'application/json' };

/** Result of a request that the appliance has accepted but not finished processing. */
export interface Accepted {
  /**
   * URL that reports the progress, such as `…/setup/api/configcheck`. Undefined if the server
   * doesn't send a URL.
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

/** Form that is read from files when the request is sent. */
export interface Form {
  readonly body: StreamBody;
  /** Values to mask, in addition to the endpoint's secrets. */
  readonly secrets: readonly string[];
}

/** Returns an endpoint whose body is a multipart form. */
export function withForm<Input extends object, T>(
  definition: Endpoint<Input, T>,
  readForm: (input: Input, context: BuildContext) => Promise<Form>,
) {
  return {
    ...definition,
    destroysStreams: true,
    build: (input: Input, context: BuildContext) => {
      const spec = buildRequest(definition, input, context);
      const read = async () => {
        const { body, secrets } = await readForm(input, context);
        return { body, secrets: [...spec.secrets, ...secrets] };
      };
      return { ...spec, read };
    },
  };
}
