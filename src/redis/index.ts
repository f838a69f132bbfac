import { hkdfSync } from 'node:crypto';
import { checkOptions, invalidOption, optionNames, parseCount } from '../option-names.js';
import { describeKind, formatCount, showValue } from '../schema/unknown-values.js';
import { createSender, type RedisClient } from './client.js';
import { RedisSessionStore } from './session-store.js';
import { RedisStore } from './store.js';

export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './client.js';
export type { RedisSessionStore } from './session-store.js';
export type { RedisStore } from './store.js';

/** Options for {@link redisStore}. */
export interface RedisStoreOptions {
  /** Prefix of every key. Can't contain braces. Default: `triforge:`. */
  readonly prefix?: string | undefined;
  /**
   * Secret of at least 32 bytes, the same in all processes. It encrypts the support session and is
   * the HMAC key for the credential hashes in key names. Without the key, sessions can't be shared,
   * and anyone who can read Redis can test passwords against the hashes. Default: none.
   */
  readonly key?: string | Uint8Array | undefined;
  /** Maximum time in ms that a call waits for Redis before continuing without it. Default: 50. */
  readonly timeout?: number | undefined;
  /**
   * Maximum compressed size of all cached responses, in bytes. The least recently used responses
   * are evicted first. A response whose uncompressed size exceeds a sixteenth of this limit is not
   * cached. Default: 268435456 (256 MiB).
   */
  readonly maxBytes?: number | undefined;
  /** Lifetime of a cached response after its last use, in ms. Default: 86400000 (1 day). */
  readonly maxAge?: number | undefined;
}

const names = optionNames<RedisStoreOptions>()('prefix key timeout maxBytes maxAge');

/**
 * Creates a store that shares rate-limit quotas, concurrency limits, cached responses, handled
 * webhook deliveries and the support session among processes. Works with Redis 7 and Valkey 8, and
 * with clients and clusters from versions 5 and 6 of `redis` and `ioredis`.
 *
 * ```ts
 * const store = redisStore(client, { key: process.env.TRIFORGE_KEY });
 * const hosting = new HostingClient({ baseUrl, auth, rateLimit: { shared: store }, cache: { store } });
 * ```
 * @throws {ConfigurationError} if the client isn't supported or an option is invalid. The message
 * names the option.
 */
export function redisStore(
  client: RedisClient,
  options: RedisStoreOptions & {
    /** Secret of at least 32 bytes, the same in all processes. */
    readonly key: string | Uint8Array;
  },
): RedisSessionStore;
/** Creates a store without a key. Such a store can't share the support session. */
export function redisStore(client: RedisClient, options?: RedisStoreOptions): RedisStore;
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RedisStore {
  const send = createSender(client);
  checkOptions(options, names);
  const { prefix = 'triforge:', key } = options;
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) {
    throw invalidOption('prefix', `must be a string without braces (got ${showValue(prefix)})`);
  }
  const secret = parseKey(key);
  const parts = {
    send,
    prefix,
    naming: deriveKey(secret ?? Buffer.alloc(32), 'names'),
    timeout: parseCount('timeout', options.timeout, 50, 1),
    maxBytes: parseCount('maxBytes', options.maxBytes, 256 * 1024 * 1024, 1),
    maxAge: parseCount('maxAge', options.maxAge, 86_400_000, 1),
  };
  return secret
    ? new RedisSessionStore(parts, deriveKey(secret, 'sessions'))
    : new RedisStore(parts);
}

function parseKey(given: string | Uint8Array | undefined): Buffer | undefined {
  if (given === undefined) return undefined;
  const bytes =
    typeof given === 'string' || given instanceof Uint8Array ? Buffer.from(given) : undefined;
  if (bytes && bytes.length >= 32) return bytes;
  const why = `must be a string or Uint8Array of at least 32 bytes (got ${bytes ? formatCount(bytes.length, 'byte') : describeKind(given)})`;
  throw invalidOption('key', why);
}

/** Derives a separate key for each purpose. */
function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `triforge ${purpose}`, 32));
}
