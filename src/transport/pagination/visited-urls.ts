import { type PageNumber, pageNumberOf } from './page-number.js';

/**
 * The pages that a crawl has been to, so that no list is followed in a circle. Of URLs that differ by
 * their page number alone only that number is kept: a crawl of a million items stays small.
 */
export class VisitedUrls {
  readonly #numbered = new Map<string, Set<number>>();
  readonly #others = new Set<string>();

  add(url: string): void {
    const page = pageNumberOf(url);
    if (page === undefined) {
      this.#others.add(url);
      return;
    }
    const list = listOf(page);
    const numbers = this.#numbered.get(list) ?? new Set();
    numbers.add(page.number);
    this.#numbered.set(list, numbers);
  }

  has(url: string): boolean {
    const page = pageNumberOf(url);
    if (page === undefined) return this.#others.has(url);
    return this.#numbered.get(listOf(page))?.has(page.number) === true;
  }
}

function listOf({ before, after }: PageNumber): string {
  return `${before} ${after}`;
}
