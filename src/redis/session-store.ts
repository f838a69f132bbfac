import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SessionStore, StoredSession } from '../transport/policy/stores.js';
import { RedisStore, type StoreParts } from './store.js';

const cipher = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16];

/** A session whose end nobody knows is kept so long at most, in ms: a 401 ends it before. */
const longestKept = 86_400_000;

/** A store that has a key: it can keep the session of an account too, encrypted. */
export class RedisSessionStore extends RedisStore implements SessionStore {
  readonly #sealing: Buffer;

  /** @internal `redisStore` makes it. */
  constructor(parts: StoreParts, sealing: Buffer) {
    super(parts);
    this.#sealing = sealing;
  }

  /** See {@link SessionStore}. What can't be decrypted is of another key, or damaged: there is none. */
  async loadSession(account: string): Promise<StoredSession | undefined> {
    const key = this.keyOf('s', account);
    const [sealed, lifetime] = await Promise.all([
      this.send(key, 'GET', key),
      this.send(key, 'PTTL', key),
    ]);
    const accessToken = Buffer.isBuffer(sealed) ? this.#open(sealed, key) : undefined;
    if (accessToken === undefined || Number(lifetime) <= 0) return undefined;
    return { accessToken, lifetime: Number(lifetime) };
  }

  /** See {@link SessionStore}. */
  async saveSession(account: string, { accessToken, lifetime }: StoredSession): Promise<void> {
    const key = this.keyOf('s', account);
    const kept = Math.max(1, Math.floor(Math.min(lifetime, longestKept)));
    await this.send(key, 'SET', key, this.#seal(accessToken, key), 'PX', `${kept}`);
  }

  /** AES-256-GCM; the key's name is authenticated with it, so that no other account's can be put there. */
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
