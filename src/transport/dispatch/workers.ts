import { invalidOption } from '../../option-names.js';
import { type ConnectionSettings, type Dispatchers, useDispatcher } from './dispatcher.js';
import { createFetchDispatcher } from './fetch-dispatcher.js';

/**
 * Replaces the function in `agent-pool.ts` in the build for Cloudflare Workers, which can't run
 * undici.
 * @throws {ConfigurationError} if `tls` or `proxy` is set.
 */
export function createDispatchers({ tls, proxies }: ConnectionSettings): Dispatchers {
  const option = proxies ? 'proxy' : 'tls';
  if (proxies || Object.keys(tls).length > 0) {
    throw invalidOption(option, 'is not supported in Cloudflare Workers');
  }
  return useDispatcher(createFetchDispatcher((...request) => globalThis.fetch(...request)));
}
