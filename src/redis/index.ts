import { hkdfSync } from 'node:crypto';
import { ConfigurationError } from '../errors/index.js';
import { checkOptions, optionNames } from '../option-names.js';
import { type RedisClient, senderOf } from './client.js';
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

/** Options of {@link redisStore}. */
export interface RedisStoreOptions {
  /** Put before every key. Default `triforge:`. */
  readonly prefix?: string | undefined;
  /**
   * A secret of at least 32 bytes, the same in all processes: it encrypts the support session, and keys
   * the hashes that stand for credentials. Default none: then sessions can't be shared, and who reads
   * Redis can try passwords against those hashes.
   */
  readonly key?: string | Uint8Array | undefined;
  /** Milliseconds that a call waits for Redis before it goes on without. Default 50. */
  readonly timeout?: number | undefined;
  /**
   * Most bytes of cached responses, compressed. The least recently used ones make room. A response that is
   * larger than a sixteenth of it, before compression, is not cached. Default: 268435456 (256 MiB).
   */
  readonly maxBytes?: number | undefined;
  /** Milliseconds that a cached answer is kept after its last use. Default 86400000 (a day). */
  readonly maxAge?: number | undefined;
}

const names = optionNames<RedisStoreOptions>()('prefix key timeout maxBytes maxAge');

/**
 * Shares budgets, calls in flight, cached responses, handled webhook deliveries and the support session
 * among processes, in Redis 7 or Valkey 8, through your client or cluster of `redis` 5 or 6, or of
 * `ioredis` 5 or 6.
 *
 * ```ts
 * const store = redisStore(client, { key: process.env.TRIFORGE_KEY });
 * const hosting = new HostingClient({ baseUrl, auth, rateLimit: { shared: store }, cache: { store } });
 * ```
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export function redisStore(
  client: RedisClient,
  options: RedisStoreOptions & {
    /** A secret of at least 32 bytes. */
    readonly key: string | Uint8Array;
  },
): RedisSessionStore;
/** Without a key: the support session can't be shared. */
export function redisStore(client: RedisClient, options?: RedisStoreOptions): RedisStore;
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): RedisStore {
  const send = senderOf(client);
  checkOptions(options, names);
  const { prefix = 'triforge:', key } = options;
  if (typeof prefix !== 'string' || /[{}]/.test(prefix)) {
    throw new ConfigurationError('prefix: expected a string without braces', { option: 'prefix' });
  }
  const secret = keyOf(key);
  const parts = {
    send,
    prefix,
    naming: derived(secret ?? Buffer.alloc(32), 'names'),
    timeout: positive('timeout', options.timeout, 50),
    maxBytes: positive('maxBytes', options.maxBytes, 256 * 1024 * 1024),
    maxAge: positive('maxAge', options.maxAge, 86_400_000),
  };
  return secret ? new RedisSessionStore(parts, derived(secret, 'sessions')) : new RedisStore(parts);
}

function keyOf(given: string | Uint8Array | undefined): Buffer | undefined {
  if (given === undefined) return undefined;
  const bytes =
    typeof given === 'string' || given instanceof Uint8Array ? Buffer.from(given) : undefined;
  if (bytes && bytes.length >= 32) return bytes;
  throw new ConfigurationError('key: expected a string or bytes, at least 32 bytes long', {
    option: 'key',
  });
}

/** A key for one purpose. */
function derived(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `triforge ${purpose}`, 32));
}

function positive(option: string, given: number | undefined, base: number): number {
  if (given === undefined) return base;
  if (Number.isSafeInteger(given) && given > 0) return given;
  throw new ConfigurationError(`${option}: expected a whole number above 0`, { option });
}
