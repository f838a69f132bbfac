import { createHmac } from 'node:crypto';
import type { CacheEntry } from '../transport/policy/cache-entry.js';
import type {
  CacheStore,
  LimitReply,
  LimitReport,
  LockStore,
  SharedLimits,
} from '../transport/policy/stores.js';
import type { DeliveryStore } from '../webhooks/delivery-store.js';
import { cacheReadScript, cacheWriteScript } from './cache-scripts.js';
import type { Send } from './client.js';
import { DeliveryClaims } from './deliveries.js';
import { decodeEntry, encodeEntry } from './entries.js';
import { limitsScript } from './limits-script.js';
import { deleteOwnScript, renewOwnScript, type Script, scriptOf } from './scripts.js';

/** What a store is made with. */
export interface StoreParts {
  readonly send: Send;
  readonly prefix: string;
  /** Key of the names. */
  readonly naming: Buffer;
  readonly timeout: number;
  readonly maxBytes: number;
  readonly maxAge: number;
}

/** What is said of limits is forgotten after so long without a word, in ms: twice the longest window. */
const limitsKept = 7_200_000;

/** An empty entry deletes its key. */
const nothing = Buffer.alloc(0);

/** Number of parts of the cache, each on one node of a cluster. */
const cacheParts = 16;

/** So many names are kept at most. */
const mostNames = 1000;

/** Budgets, calls in flight, cached responses, locks and handled deliveries of many processes, in Redis or Valkey. */
export class RedisStore implements SharedLimits, CacheStore, LockStore, DeliveryStore {
  /** Milliseconds that a call waits for Redis before it goes on without. */
  readonly timeout: number;
  readonly #parts: StoreParts;
  /** Every exchange asks for the same ones. */
  readonly #names = new Map<string, string>();
  readonly #limits: Script;
  readonly #unlock: Script;
  readonly #renewLock: Script;
  readonly #cacheRead: Script;
  readonly #cacheWrite: Script;
  readonly #deliveries: DeliveryClaims;

  /** @internal `redisStore` makes it. */
  constructor(parts: StoreParts) {
    this.timeout = parts.timeout;
    this.#parts = parts;
    this.#limits = scriptOf(parts.send, limitsScript);
    this.#unlock = scriptOf(parts.send, deleteOwnScript);
    this.#renewLock = scriptOf(parts.send, renewOwnScript);
    this.#cacheRead = scriptOf(parts.send, cacheReadScript);
    this.#cacheWrite = scriptOf(parts.send, cacheWriteScript);
    this.#deliveries = new DeliveryClaims(parts.send);
  }

  /** See {@link SharedLimits}: one script, on the node of the scope. */
  async exchange(scope: string, report: LimitReport): Promise<LimitReply> {
    const base = this.keyOf('l', scope);
    const keys = [`${base}:pause`, `${base}:slots`, `${base}:slots:leases`, `${base}:slots:queue`];
    const budgets = report.budgets.map((budget) => ({ ...budget, key: this.name(budget.key) }));
    for (const { key } of budgets) keys.push(`${base}:b:${key}`, `${base}:b:${key}:leases`);
    const text = await this.#limits(keys, JSON.stringify({ ...report, budgets }), `${limitsKept}`);
    // `as`: our own script wrote it; it leaves out what is empty.
    const reply = JSON.parse(String(text)) as Partial<LimitReply>;
    return { pause: reply.pause ?? 0, slots: reply.slots, budgets: reply.budgets ?? [] };
  }

  /** See {@link CacheStore}. A damaged entry counts as none. */
  async get(key: string): Promise<CacheEntry | undefined> {
    const { keys, args } = this.#cachePlace(key);
    const found = await this.#cacheRead(keys, ...args);
    return Buffer.isBuffer(found) ? await decodeEntry(found, this.#mostOfPart) : undefined;
  }

  /** See {@link CacheStore}: compressed above 1 KiB. The least recently used entries make room. */
  async set(key: string, entry: CacheEntry): Promise<void> {
    const bytes = await encodeEntry(entry, this.#mostOfPart);
    await this.#cachePut(key, bytes ?? nothing);
  }

  /** See {@link CacheStore}. */
  async delete(key: string): Promise<void> {
    await this.#cachePut(key, nothing);
  }

  /** See {@link LockStore}. */
  async acquireLock(name: string, owner: string, lease: number): Promise<string> {
    const key = this.keyOf('k', name);
    const kept = `${Math.ceil(lease)}`;
    const held = await this.send(key, 'SET', key, owner, 'NX', 'GET', 'PX', kept);
    if (held === null) return owner;
    const holder = String(held);
    if (holder === owner) await this.#renewLock([key], owner, kept);
    return holder;
  }

  /** See {@link DeliveryStore}. */
  claimDelivery(delivery: string, claimant: string, lease: number) {
    return this.#deliveries.claim(this.keyOf('d', delivery), claimant, lease);
  }

  /** See {@link DeliveryStore}. */
  completeDelivery(delivery: string, lifetime: number): Promise<void> {
    return this.#deliveries.complete(this.keyOf('d', delivery), lifetime);
  }

  /** See {@link DeliveryStore}. */
  releaseDelivery(delivery: string, claimant: string): Promise<void> {
    return this.#deliveries.release(this.keyOf('d', delivery), claimant);
  }

  /** See {@link LockStore}. */
  async lockOwner(name: string): Promise<string | undefined> {
    const key = this.keyOf('k', name);
    const held = await this.send(key, 'GET', key);
    return held === null ? undefined : String(held);
  }

  /** See {@link LockStore}. */
  async releaseLock(name: string, owner: string): Promise<void> {
    await this.#unlock([this.keyOf('k', name)], owner);
  }

  /** A key whose name tells nothing, and all keys below it, on one node of a cluster. */
  protected keyOf(kind: string, text: string): string {
    return `${this.#parts.prefix}${kind}:{${this.name(text)}}`;
  }

  /** A keyed hash: nobody without the key can try which text has this name. */
  protected name(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const hash = createHmac('sha256', this.#parts.naming).update(text).digest('base64url');
    const name = hash.slice(0, 22);
    if (this.#names.size >= mostNames) this.#names.clear();
    this.#names.set(text, name);
    return name;
  }

  protected get send(): Send {
    return this.#parts.send;
  }

  async #cachePut(key: string, value: Buffer): Promise<void> {
    const { keys, args } = this.#cachePlace(key);
    await this.#cacheWrite(keys, ...args, value);
  }

  /** Maximum bytes of a part of the cache, and of an entry before compression. */
  get #mostOfPart(): number {
    return Math.floor(this.#parts.maxBytes / cacheParts);
  }

  /** The keys of an entry's part, and the arguments of every script. */
  #cachePlace(key: string) {
    const name = this.name(key);
    const part = Buffer.from(name, 'base64url').readUInt8(0) % cacheParts;
    const base = `${this.#parts.prefix}c:{${part}}`;
    const keys = [`${base}:entries`, `${base}:ages`];
    return { keys, args: [name, `${this.#parts.maxAge}`, `${this.#mostOfPart}`] };
  }
}
