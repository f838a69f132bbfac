import { type ApiClient, Resource } from '../transport/api-client.js';
import type { AuthOptions } from '../transport/options.js';
import type { ConsoleAuth } from './auth.js';

/** API client with credentials for the Management Console API. */
export type ConsoleApi = ApiClient<ConsoleAuth>;

export abstract class ConsoleResource extends Resource<ConsoleAuth> {}

/** Options for one call. `auth` overrides the client's credentials. */
export type ConsoleRequestOptions = AuthOptions<ConsoleAuth>;

/** Schema of JSON that is sent as the text of a form field. */
export const jsonTextSchema = { type: 'string', contentMediaType: 'application/json' };
