import { type ApiClient, Resource } from '../transport/api-client.js';
import type { AuthOptions } from '../transport/call-settings.js';
import type { ConsoleAuth } from './auth.js';

/** What every part of the console calls through. */
export type ConsoleApi = ApiClient<ConsoleAuth>;

/** Methods of one resource. */
export abstract class ConsoleResource extends Resource<ConsoleAuth> {}

/** Options of one call; `auth` overrides the client's credentials. */
export type ConsoleRequestOptions = AuthOptions<ConsoleAuth>;
