/** Map with a limited total size. Drops the oldest entries when it is full. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number;
  readonly #measure: (value: Value, key: Key) => number;
  #total = 0;

  /**
   * @param measure returns an entry's size, which must never change. Default: 1, so `capacity` is a
   * number of entries.
   */
  constructor(capacity: number, measure: (value: Value, key: Key) => number = () => 1) {
    super();
    this.#capacity = capacity;
    this.#measure = measure;
  }

  /**
   * Stores an entry. If the entry is larger than the capacity, it isn't stored, and an earlier
   * entry with the same key is dropped.
   */
  override set(key: Key, value: Value): this {
    this.delete(key);
    const size = this.#measure(value, key);
    if (size > this.#capacity) return this;
    super.set(key, value);
    this.#total += size;
    for (const oldest of this.keys()) {
      if (this.#total <= this.#capacity) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const value = this.get(key);
    if (!super.delete(key)) return false;
    // `as`: the key existed, so `value` is defined.
    this.#total -= this.#measure(value as Value, key);
    return true;
  }
}
