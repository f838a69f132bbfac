import { createHmac } from 'node:crypto';
import type { LimitFacts } from '../transport/limits/credential-limits.js';
import type { LimitStore } from '../transport/limits/shared-limits.js';
import type { CacheStore, DeliveryStore } from '../transport/stores/stores.js';
import type { SendCommand } from './client.js';
import { limitsScript } from './limits-script.js';

export interface StoreParts {
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
export class RedisStore implements LimitStore, CacheStore, DeliveryStore {
  /** Maximum time in ms that a call waits for Redis before continuing without it. */
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
