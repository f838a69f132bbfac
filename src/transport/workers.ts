import { invalidOption } from '../option-names.js';
import { type ConnectionSettings, type Dispatchers, useDispatcher } from './dispatch/dispatcher.js';
import { createFetchDispatcher } from './dispatch/fetch-dispatcher.js';
import { createInputError } from './request/input.js';

// Replaces modules in the build for Cloudflare Workers, which can't run undici and have no file
// system.

/**
 * Replaces the function in `dispatch/agent-pool.ts`.
 * @throws {ConfigurationError} if `tls` or `proxy` is set.
 */
export function createDispatchers({ tls, proxies }: ConnectionSettings): Dispatchers {
  const option = proxies ? 'proxy' : 'tls';
  if (proxies || Object.keys(tls).length > 0) {
    throw invalidOption(option, 'is not supported in Cloudflare Workers');
  }
  return useDispatcher(createFetchDispatcher((...request) => globalThis.fetch(...request)));
}

/**
 * Replaces the function in `download/to-file.ts`.
 * @throws {InvalidRequestError} always.
 */
export function downloadToFile(): Promise<never> {
  const why = "is not supported in Cloudflare Workers. Use as: 'web', 'stream' or 'bytes'.";
  return Promise.reject(createInputError('to', why));
}
