/** A kind of list: users (about 77 KB a page), repositories (377 KB), pull requests (1.2 MB). */
export type Kind = 'users' | 'repos' | 'pulls';

/** One way to use the API; every peer does the same requests and looks at every item. */
export interface Peer {
  /**
   * Follows a list to its end.
   * @param work awaited once a page.
   * @param concurrency pages at once, of clients that can.
   * @returns how many items there were.
   */
  pages(kind: Kind, work?: () => Promise<void>, concurrency?: number): Promise<number>;
  /** Searches for all contacts of the support API. @returns how many there were. */
  search?(concurrency?: number): Promise<number>;
  /** One small GET. @returns the id in it. */
  small(): Promise<number>;
}

/** Makes a peer. @param base address of the API, with a slash at its end. */
export type MakePeer = (base: string) => Peer;

interface Item {
  readonly id: number;
}

/** Path of a list, relative to the API's address. */
export const paths: Readonly<Record<Kind, string>> = {
  users: 'repos/a/b/stargazers?per_page=100',
  repos: 'users/a/starred?per_page=100',
  pulls: 'repos/a/b/pulls?per_page=100',
};

/** The headers of every request. */
export const headers = {
  authorization: `token ${'x'.repeat(40)}`,
  accept: 'application/vnd.service.v3+json',
  'user-agent': 'bench',
};

/** The next page, as the few lines that people write by hand find it. */
export function nextPage(link: unknown): string | undefined {
  return typeof link === 'string' ? /<([^>]+)>; rel="next"/.exec(link)?.[1] : undefined;
}

/** Looks at every item of a page. @returns how many there are. */
export function look(items: readonly Item[]): number {
  let count = 0;
  for (const item of items) if (item.id > 0) count += 1;
  return count;
}

/** What a client without pagination gives for one page. */
export interface Page {
  readonly items: readonly Item[];
  readonly link: unknown;
}

/** Follows the Link headers for a client that does not do it itself. */
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

/** JSON that this benchmark's own server made. */
export type Answer<What> = What extends 'page' ? readonly Item[] : Item;

/** The same for who asks for the next page before he works on this one: five lines more. */
export function followAhead(base: string, get: (url: string) => Promise<Page>): Peer['pages'] {
  return async (kind, work) => {
    let coming: Promise<Page> | undefined = get(`${base}${paths[kind]}`);
    let count = 0;
    while (coming !== undefined) {
      const page: Page = await coming;
      const url = nextPage(page.link);
      coming = url === undefined ? undefined : get(url);
      // Whoever forgets this line ends the process when a page fails while he works.
      coming?.catch(() => undefined);
      count += look(page.items);
      await work?.();
    }
    return count;
  };
}
