/** Kind of list: users (about 87 KB per page), repositories (431 KB) or pull requests (1.3 MB). */
export type Kind = 'users' | 'repos' | 'pulls';

/** Client under test. All peers send the same requests and read every item. */
export interface Peer {
  /**
   * Reads a whole list.
   * @param work Called and awaited once per page.
   * @param concurrency Pages to request at the same time, for clients that support this.
   * @returns Number of items.
   */
  pages(kind: Kind, work?: () => Promise<void>, concurrency?: number): Promise<number>;
  /** Sends a small GET request. @returns The ID in the response. */
  small(): Promise<number>;
}

/** Creates a peer. @param base URL of the API, with a trailing slash. */
export type MakePeer = (base: string) => Peer;

interface Item {
  readonly id: number;
}

/** Path of a list, relative to the API's URL. */
export const paths: Readonly<Record<Kind, string>> = {
  users: 'repos/a/b/stargazers?per_page=100',
  repos: 'users/a/starred?per_page=100',
  pulls: 'repos/a/b/pulls?per_page=100',
};

/** Headers of every request. */
export const headers = {
  authorization: `token ${'x'.repeat(40)}`,
  accept: 'application/vnd.service.v3+json',
  'user-agent': 'bench',
};

/** Returns the next page's URL. Parses the `Link` header with a regular expression, like handwritten code. */
export function nextPage(link: unknown): string | undefined {
  return typeof link === 'string' ? /<([^>]+)>; rel="next"/.exec(link)?.[1] : undefined;
}

/** Reads every item on a page. @returns Number of items. */
export function look(items: readonly Item[]): number {
  let count = 0;
  for (const item of items) if (item.id > 0) count += 1;
  return count;
}

/** A page, as returned by a client without pagination. */
export interface Page {
  readonly items: readonly Item[];
  readonly link: unknown;
}

/** Follows the `Link` headers for a client that doesn't paginate. */
export function follow(base: string, get: (url: string) => Promise<Page>): Peer['pages'] {
  return async (kind, work) => {
    let url: string | undefined = `${base}${paths[kind]}`;
    let count = 0;
    while (url !== undefined) {
      const page: Page = await get(url);
      count += look(page.items);
      await work?.();
      url = nextPage(page.link);
    }
    return count;
  };
}

/** JSON that the benchmark's server sends. */
export type PeerResult<What> = What extends 'page' ? readonly Item[] : Item;

/**
 * Follows the `Link` headers, but requests the next page before processing the current page. Takes
 * two more lines of code than {@link follow}.
 */
export function followAhead(base: string, get: (url: string) => Promise<Page>): Peer['pages'] {
  return async (kind, work) => {
    let coming: Promise<Page> | undefined = get(`${base}${paths[kind]}`);
    let count = 0;
    while (coming !== undefined) {
      const page: Page = await coming;
      const url = nextPage(page.link);
      coming = url === undefined ? undefined : get(url);
      // Without this line, a page that fails during `work` would cause an unhandled rejection.
      coming?.catch(() => undefined);
      count += look(page.items);
      await work?.();
    }
    return count;
  };
}
