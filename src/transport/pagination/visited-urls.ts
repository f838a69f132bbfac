/**
 * The pages that a crawl has been to, so that no list is followed in a circle. Of URLs that differ by
 * their page number alone only that number is kept: a crawl of a million items stays small.
 */
export class VisitedUrls {
  readonly #numbered = new Map<string, Set<number>>();
  readonly #others = new Set<string>();

  add(url: string): void {
    const [, before, number, after] = numbered.exec(url) ?? [];
    if (before === undefined) {
      this.#others.add(url);
      return;
    }
    const list = `${before} ${after}`;
    const numbers = this.#numbered.get(list) ?? new Set();
    numbers.add(Number(number));
    this.#numbered.set(list, numbers);
  }

  has(url: string): boolean {
    const [, before, number, after] = numbered.exec(url) ?? [];
    if (before === undefined) return this.#others.has(url);
    return this.#numbered.get(`${before} ${after}`)?.has(Number(number)) === true;
  }
}

/** No number that could be written in another way, or that is not exact as a number. */
const numbered = /^([^ ]*?[?&]page=)([1-9]\d{0,14})(?!\d)([^ ]*)$/;
