import type { ApiClient, AuthOptions } from '../transport/api-client.js';
import type { ConsoleAuth } from './auth.js';

/** What every part of the console calls through. */
export type ConsoleApi = ApiClient<ConsoleAuth>;

/** Options of one call; `auth` overrides the client's credentials. */
export type ConsoleRequestOptions = AuthOptions<ConsoleAuth>;
