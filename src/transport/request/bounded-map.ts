/** A map of so many entries at most: the one that was set longest ago is forgotten. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #capacity: number;

  constructor(capacity: number) {
    super();
    this.#capacity = capacity;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.#capacity) return this;
    const oldest = this.keys().next();
    if (!oldest.done) this.delete(oldest.value);
    return this;
  }
}
