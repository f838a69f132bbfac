import { createHmac } from 'node:crypto';
import { checkOptions, invalidOption, optionNames, parseNumber } from '../option-names.js';
import { describeKind, formatCount, showValue } from '../schema/unknown-values.js';
import type { LimitFacts, LimitStore } from '../transport/limits/credential-limits.js';
import type { CacheStore, DeliveryStore } from '../transport/stores/stores.js';
import { createSender, type RedisClient, type SendCommand } from './client.js';

export type {
  IoredisClient,
  NodeRedisClient,
  NodeRedisCluster,
  NodeRedisSentinel,
  RedisClient,
} from './client.js';
export type { RedisStore };

/** Options for {@link redisStore}. */
export interface RedisStoreOptions {
  /** Prefix of every key. Can't contain braces. Default: `triforge:`. */
  readonly prefix?: string | undefined;
  /**
   * HMAC key for the hashes in key names. Must be at least 32 bytes long and the same in all
   * processes. Without an HMAC key, anyone who can read Redis can test passwords against the
   * hashes. Default: none.
   */
  readonly key?: string | Uint8Array | undefined;
  /**
   * Maximum time in ms that a call or a webhook receiver waits for Redis before it continues without
   * Redis. Default: 50 ms.
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

interface StoreParts {
  readonly send: SendCommand;
  readonly prefix: string;
  /** HMAC key for key names. Empty if there is none. */
  readonly key: string | Uint8Array;
  readonly timeout: number;
}

/**
 * State that many processes share in Redis or Valkey: rate-limit quotas, pauses, cached responses
 * and handled webhook deliveries.
 */
class RedisStore implements LimitStore, CacheStore, DeliveryStore {
  /** Maximum time in ms that a call waits for Redis before it continues without Redis. */
  readonly timeout: number;
  readonly #parts: StoreParts;

  /** @internal Use `redisStore`. */
  constructor(parts: StoreParts) {
    this.timeout = parts.timeout;
    this.#parts = parts;
  }

  /** Returns a value (see {@link CacheStore}). */
  async get(key: string): Promise<string | undefined> {
    const name = this.#name(key);
    const found = await this.#parts.send(name, 'GET', name);
    return found === null || found === undefined ? undefined : String(found);
  }

  /** Sets a value (see {@link CacheStore}). */
  async set(key: string, value: string, lifetime: number): Promise<void> {
    const name = this.#name(key);
    await this.#parts.send(name, 'SET', name, value, 'PX', formatMs(lifetime));
  }

  /** Sets a value unless the key already has one (see {@link DeliveryStore}). */
  async setIfAbsent(key: string, value: string, lifetime: number): Promise<boolean> {
    const name = this.#name(key);
    const reply = await this.#parts.send(name, 'SET', name, value, 'PX', formatMs(lifetime), 'NX');
    return reply !== null && reply !== undefined;
  }

  /** Deletes a value (see {@link DeliveryStore}). */
  async delete(key: string): Promise<void> {
    const name = this.#name(key);
    await this.#parts.send(name, 'DEL', name);
  }

  /** Combines the limits that processes reported (see {@link LimitStore}). */
  async exchangeLimits(credential: string, bucket: string, facts: LimitFacts): Promise<LimitFacts> {
    const base = this.#name(`limits:${credential}`);
    const { limit, remaining, reset, ends } = facts.quota ?? {};
    const args = [limit, remaining, reset, ends && Math.ceil(ends), Math.ceil(facts.pause)];
    const keys = [`${base}:${bucket}`, `${base}:pause`] as const;
    const texts = args.map((each) => `${each ?? ''}`);
    const reply = await this.#parts.send(keys[0], 'EVAL', limitsScript, '2', ...keys, ...texts);
    // Other programs can write invalid values.
    const numbers = Array.isArray(reply) ? reply.map(Number) : [];
    const [pause = 0, ...quota] = numbers.every((each) => Number.isFinite(each) && each >= 0)
      ? numbers
      : [];
    const [known = 0, left = 0, end = 0, time = 0] = quota;
    return {
      quota:
        quota.length === 4 ? { limit: known, remaining: left, reset: end, ends: time } : undefined,
      pause,
    };
  }

  /**
   * Returns a Redis key such as `triforge:cache:{hash}`. The hash is keyed so that password guesses
   * can't be tested without the key. In a cluster, all keys that start with this name are on the
   * same node.
   */
  #name(key: string): string {
    const [, use = '', text = ''] = /^(\w+):(.*)$/s.exec(key) ?? [];
    const hash = createHmac('sha256', this.#parts.key).update(text).digest('base64url');
    return `${this.#parts.prefix}${use}:{${hash.slice(0, 22)}}`;
  }
}

function formatMs(ms: number): string {
  return `${Math.max(1, Math.ceil(ms))}`;
}

/**
 * Combines the limits that a process reports with the stored limits.
 * KEYS: the quota; the credential's pause.
 * ARGV: `limit`, `remaining`, `reset` (epoch s) and `ends` (ms) of the quota, or empty strings; the
 * length of the pause in ms.
 * Each value is stored with its original duration, so that no process waits longer than the server
 * demanded, even if Redis's clock is set back.
 */
const limitsScript = `
local function left(key, duration)
  return math.min(redis.call('PTTL', key), tonumber(duration))
end

local quota = redis.call('HMGET', KEYS[1], 'limit', 'remaining', 'reset', 'ends')
local limit, remaining, reset, ends = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
if reset then
  local known = tonumber(quota[3]) or 0
  if reset > known or (reset == known and remaining < tonumber(quota[2])) then
    quota = { limit, ARGV[2], ARGV[3], ends }
    redis.call('HSET', KEYS[1], 'limit', limit, 'remaining', ARGV[2], 'reset', ARGV[3], 'ends', ends)
    redis.call('PEXPIRE', KEYS[1], ends)
  end
end

local paused = redis.call('GET', KEYS[2])
local pause = paused and left(KEYS[2], paused) or 0
if tonumber(ARGV[5]) > pause then
  pause = tonumber(ARGV[5])
  redis.call('SET', KEYS[2], ARGV[5], 'PX', ARGV[5])
end

if not quota[1] then return { pause } end
return { pause, quota[1], quota[2], quota[3], left(KEYS[1], quota[4]) }
`;
