import { checkOptions, invalidOption, optionNames, parseNumber } from '../option-names.js';
import { describeKind, formatCount, showValue } from '../schema/unknown-values.js';
import { createSender, type RedisClient } from './client.js';
import { RedisStore } from './store.js';

export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './client.js';
export type { RedisStore } from './store.js';

/** Options for {@link redisStore}. */
export interface RedisStoreOptions {
  /** Prefix of every key. Can't contain braces. Default: `triforge:`. */
  readonly prefix?: string | undefined;
  /**
   * Secret of at least 32 bytes, the same in all processes. It is the HMAC key for the hashes in
   * key names. Without it, anyone who can read Redis can test passwords against the hashes.
   * Default: none.
   */
  readonly key?: string | Uint8Array | undefined;
  /**
   * Maximum time in ms that a call waits for Redis before continuing without it. Default: 50 ms.
   */
  readonly timeout?: number | undefined;
}

const names = optionNames<RedisStoreOptions>()('prefix key timeout');

/**
 * Creates a store that shares rate-limit quotas, cached responses and handled webhook deliveries
 * among processes. Works with Redis 7 and Valkey 8, and with clients and clusters from versions 5
 * and 6 of `redis` and `ioredis`.
 *
 * ```ts
 * const store = redisStore(client, { key: process.env.TRIFORGE_KEY });
 * const hosting = new HostingClient({ baseUrl, auth, rateLimit: { shared: store }, cache: { store } });
 * ```
 * @throws {ConfigurationError} if the client isn't supported or an option is invalid. The message
 * names the option.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RedisStore {
  const send = createSender(client);
  checkOptions(options, names);
  const { prefix = 'triforge:', key } = options;
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) {
    throw invalidOption('prefix', `must be a string without braces (got ${showValue(prefix)})`);
  }
  const timeout = parseNumber('timeout', options.timeout, 50, 1);
  return new RedisStore({ send, prefix, key: key === undefined ? '' : checkKey(key), timeout });
}

function checkKey(key: string | Uint8Array): string | Uint8Array {
  const isKey = typeof key === 'string' || key instanceof Uint8Array;
  const size = isKey ? Buffer.byteLength(key) : 0;
  if (size >= 32) return key;
  const got = isKey ? formatCount(size, 'byte') : describeKind(key);
  throw invalidOption('key', `must be a string or Uint8Array of at least 32 bytes (got ${got})`);
}
