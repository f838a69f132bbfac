import { createHmac } from 'node:crypto';
import type { LimitFacts } from '../transport/limits/credential-limits.js';
import type { LimitStore } from '../transport/limits/shared-limits.js';
import type { CacheEntry } from '../transport/stores/cache-entry.js';
import type { CacheStore, LockStore } from '../transport/stores/stores.js';
import type { DeliveryStore } from '../webhooks/delivery-store.js';
import { cacheReadScript, cacheWriteScript } from './cache-scripts.js';
import type { SendCommand } from './client.js';
import { decodeEntry, encodeEntry } from './entries.js';
import { limitsScript } from './limits-script.js';
import {
  claimScript,
  claimUnhandledScript,
  createScript,
  deleteOwnScript,
  handled,
  type Script,
} from './scripts.js';

export interface StoreParts {
  readonly send: SendCommand;
  readonly prefix: string;
  /** HMAC key for key names. */
  readonly naming: Buffer;
  readonly timeout: number;
  readonly maxBytes: number;
  readonly maxAge: number;
}

/** Value that makes the write script delete an entry. */
const nothing = Buffer.alloc(0);

/** Number of cache shards. In a cluster, each shard is on one node. */
const cacheParts = 16;

/** Maximum number of bytes to read from a session, a sign-in failure or a lock. */
const maxValueBytes = 1_048_576;

/** Maximum number of memoized names. */
const maxNames = 1000;

/**
 * State that many processes share in Redis or Valkey: rate-limit quotas, pauses, cached
 * responses, locks and handled webhook deliveries.
 */
export class RedisStore implements LimitStore, CacheStore, LockStore, DeliveryStore {
  /** Maximum time in ms that a call waits for Redis before continuing without it. */
  readonly timeout: number;
  readonly #parts: StoreParts;
  /** Memoized names. Every exchange needs the same names. */
  readonly #names = new Map<string, string>();
  readonly #limits: Script;
  readonly #lock: Script;
  readonly #deleteOwn: Script;
  readonly #cacheRead: Script;
  readonly #cacheWrite: Script;
  readonly #claim: Script;

  /** @internal Use `redisStore`. */
  constructor(parts: StoreParts) {
    this.timeout = parts.timeout;
    this.#parts = parts;
    this.#limits = createScript(parts.send, limitsScript);
    this.#lock = createScript(parts.send, claimScript);
    this.#deleteOwn = createScript(parts.send, deleteOwnScript);
    this.#cacheRead = createScript(parts.send, cacheReadScript);
    this.#cacheWrite = createScript(parts.send, cacheWriteScript);
    this.#claim = createScript(parts.send, claimUnhandledScript);
  }

  /** Combines what processes know about limits (see {@link LimitStore}). */
  async exchangeLimits(credential: string, bucket: string, facts: LimitFacts): Promise<LimitFacts> {
    const base = this.formatKey('l', credential);
    const { limit, remaining, reset, ends } = facts.quota ?? {};
    const args = [limit, remaining, reset, ends && Math.ceil(ends), Math.ceil(facts.pause)];
    const reply = await this.#limits(
      [`${base}:${bucket}`, `${base}:pause`],
      ...args.map((each) => `${each ?? ''}`),
    );
    // Other programs can write invalid values.
    const numbers = Array.isArray(reply) ? reply.map(Number) : [];
    const [pause = 0, ...quota] = numbers.every((each) => each >= 0) ? numbers : [];
    const [known = 0, left = 0, end = 0, time = 0] = quota;
    return {
      quota:
        quota.length === 4 ? { limit: known, remaining: left, reset: end, ends: time } : undefined,
      pause,
    };
  }

  /** Reads a cached response (see {@link CacheStore}). Ignores damaged entries. */
  async get(key: string): Promise<CacheEntry | undefined> {
    const { keys, args } = this.#cachePlace(key);
    const found = await this.#cacheRead(keys, ...args);
    return Buffer.isBuffer(found) ? await decodeEntry(found, this.#maxPartBytes) : undefined;
  }

  /**
   * Caches a response (see {@link CacheStore}). Compresses entries of 1 KiB or more and evicts the
   * least recently used entries to make room.
   */
  async set(key: string, entry: CacheEntry): Promise<void> {
    const bytes = await encodeEntry(entry, this.#maxPartBytes);
    await this.#cachePut(key, bytes ?? nothing);
  }

  /** Deletes a cached response (see {@link CacheStore}). */
  async delete(key: string): Promise<void> {
    await this.#cachePut(key, nothing);
  }

  /** Acquires or renews a lock (see {@link LockStore}). */
  async acquireLock(name: string, owner: string, lease: number): Promise<string> {
    return String(await this.#lock([this.formatKey('k', name)], owner, `${Math.ceil(lease)}`));
  }

  /** Claims a webhook delivery (see {@link DeliveryStore}). */
  async claimDelivery(delivery: string, claimant: string, lease: number) {
    const key = this.formatKey('d', delivery);
    const found = String(await this.#claim([key], claimant, `${Math.ceil(lease)}`));
    if (found === handled) return handled;
    return found === claimant ? 'granted' : 'running';
  }

  /** Marks a webhook delivery as handled (see {@link DeliveryStore}). */
  async completeDelivery(delivery: string, lifetime: number): Promise<void> {
    const key = this.formatKey('d', delivery);
    await this.send(key, 'SET', key, handled, 'PX', `${Math.ceil(lifetime)}`);
  }

  /** Releases the claim on a webhook delivery (see {@link DeliveryStore}). */
  async releaseDelivery(delivery: string, claimant: string): Promise<void> {
    await this.#deleteOwn([this.formatKey('d', delivery)], claimant);
  }

  /** Returns a lock's owner (see {@link LockStore}). */
  async lockOwner(name: string): Promise<string | undefined> {
    const key = this.formatKey('k', name);
    return String(await this.read(key)) || undefined;
  }

  /** Releases a lock (see {@link LockStore}). */
  async releaseLock(name: string, owner: string): Promise<void> {
    await this.#deleteOwn([this.formatKey('k', name)], owner);
  }

  /**
   * Returns a key name that doesn't reveal `text`. In a cluster, all keys that start with this name
   * are on the same node.
   */
  protected formatKey(kind: string, text: string): string {
    return `${this.#parts.prefix}${kind}:{${this.name(text)}}`;
  }

  /** Returns a keyed hash so that guesses of the text can't be tested without the key. */
  protected name(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const hash = createHmac('sha256', this.#parts.naming).update(text).digest('base64url');
    const name = hash.slice(0, 22);
    if (this.#names.size >= maxNames) this.#names.clear();
    this.#names.set(text, name);
    return name;
  }

  /**
   * Reads a string value, which is empty if the key doesn't exist. Reads at most 1 MiB, because
   * other programs may have written a larger value.
   */
  protected read(key: string): Promise<unknown> {
    return this.send(key, 'GETRANGE', key, '0', `${maxValueBytes - 1}`);
  }

  protected get send(): SendCommand {
    return this.#parts.send;
  }

  async #cachePut(key: string, value: Buffer): Promise<void> {
    const { keys, args } = this.#cachePlace(key);
    await this.#cacheWrite(keys, ...args, value);
  }

  /** Maximum size of a cache shard and of an uncompressed entry, in bytes. */
  get #maxPartBytes(): number {
    return Math.floor(this.#parts.maxBytes / cacheParts);
  }

  /** Returns the keys of an entry's shard and the arguments that all cache scripts take. */
  #cachePlace(key: string) {
    const name = this.name(key);
    const part = Buffer.from(name, 'base64url').readUInt8(0) % cacheParts;
    const base = `${this.#parts.prefix}c:{${part}}`;
    const keys = [`${base}:entries`, `${base}:ages`];
    return { keys, args: [name, `${this.#parts.maxAge}`, `${this.#maxPartBytes}`] };
  }
}
