import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SessionStore, StoredFailure, StoredSession } from '../transport/stores/stores.js';
import { RedisStore, type StoreParts } from './store.js';

const cipher = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/**
 * Maximum lifetime of a stored session, in ms. The session's real expiry may be unknown. A 401 ends
 * the session earlier.
 */
const maxLifetime = 86_400_000;

/** Redis store with a `key`. It also stores encrypted support sessions. */
export class RedisSessionStore extends RedisStore implements SessionStore {
  readonly #sealing: Buffer;

  /** @internal Use `redisStore`. */
  constructor(parts: StoreParts, sealing: Buffer) {
    super(parts);
    this.#sealing = sealing;
  }

  /**
   * Loads a session (see {@link SessionStore}). Ignores values that are damaged or encrypted with
   * another key.
   */
  async loadSession(account: string): Promise<StoredSession | undefined> {
    const found = await this.#load('s', account);
    return found && { accessToken: found.text, lifetime: found.lifetime };
  }

  /** Saves a session (see {@link SessionStore}). */
  async saveSession(account: string, { accessToken, lifetime }: StoredSession): Promise<void> {
    await this.#save('s', account, accessToken, lifetime);
  }

  /** Loads a sign-in failure (see {@link SessionStore}). */
  async loadFailure(account: string): Promise<StoredFailure | undefined> {
    const found = await this.#load('f', account);
    return found && { failure: found.text, lifetime: found.lifetime };
  }

  /** Saves a sign-in failure (see {@link SessionStore}). */
  async saveFailure(account: string, { failure, lifetime }: StoredFailure): Promise<void> {
    await this.#save('f', account, failure, lifetime);
  }

  async #load(kind: string, account: string) {
    const key = this.formatKey(kind, account);
    const [sealed, kept] = await Promise.all([this.read(key), this.send(key, 'PTTL', key)]);
    const text = Buffer.isBuffer(sealed) ? this.#open(sealed, key) : undefined;
    const lifetime = Number(kept);
    return text === undefined || lifetime <= 0 ? undefined : { text, lifetime };
  }

  async #save(kind: string, account: string, text: string, lifetime: number): Promise<void> {
    const key = this.formatKey(kind, account);
    const kept = Math.max(1, Math.floor(Math.min(lifetime, maxLifetime)));
    await this.send(key, 'SET', key, this.#seal(text, key), 'PX', `${kept}`);
  }

  /**
   * Encrypts text with AES-256-GCM. Also authenticates the Redis key's name so that values can't
   * be swapped among accounts.
   */
  #seal(text: string, name: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#sealing, nonce).setAAD(Buffer.from(name));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    return Buffer.concat([nonce, sealing.getAuthTag(), sealed]);
  }

  #open(bytes: Buffer, name: string): string | undefined {
    try {
      const opening = createDecipheriv(cipher, this.#sealing, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(name))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      const text = opening.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, opening.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
