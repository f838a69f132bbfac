import type { HostingClient } from '../../src/hosting/index.js';
import type { HostingRequestOptions } from '../../src/hosting/resources/common.js';
import { getFile, getName, itemsOfPage, pagesOfList } from './service.js';

/**
 * A call's effect and retry safety:
 * - `read` changes nothing.
 * - `once` must not be sent again if the call may have been executed.
 * - `idempotent` may be executed again, with one lasting effect.
 * - `missing` has a target that doesn't exist.
 */
export type CallClass = 'read' | 'once' | 'idempotent' | 'missing';

export interface SoakCall {
  readonly name: string;
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly kind: CallClass;
  readonly weight: number;
  readonly run: (
    client: HostingClient,
    operation: number,
    options: HostingRequestOptions,
    origin: string,
  ) => PromiseLike<unknown>;
}

/** Thrown if a call succeeds with a result that differs from the server's data. */
export class WrongResultError extends Error {}

function same(what: string, got: unknown, wanted: unknown): void {
  if (got !== wanted) {
    throw new WrongResultError(`${what}: got ${String(got)}, expected ${String(wanted)}`);
  }
}

const inRepo = (operation: number) => ({ owner: 'soak', repo: getName(operation) });
const titled = (operation: number) => (pull: { readonly title: string }) =>
  same('title', pull.title, getName(operation));
const named = (operation: number) => (thing: { readonly name: string | null }) =>
  same('name', thing.name, getName(operation));

const reads: readonly SoakCall[] = [
  { name: 'pulls.list', method: 'GET', kind: 'read', weight: 10, run: crawl },
  {
    name: 'contents.getRaw',
    method: 'GET',
    kind: 'read',
    weight: 6,
    run: async (client, n, options) => {
      const chunks: Buffer[] = [];
      const input = { ...inRepo(n), path: 'data.bin' };
      for await (const chunk of await client.contents.getRaw(input, options)) chunks.push(chunk);
      same('the same bytes', Buffer.concat(chunks).equals(getFile(n)), true);
    },
  },
  { name: 'teams.get, repeated', method: 'GET', kind: 'read', weight: 3, run: repeatRead },
];

const posts: readonly SoakCall[] = [
  {
    name: 'pulls.create',
    method: 'POST',
    kind: 'once',
    weight: 8,
    run: (client, n, options) =>
      client.pulls
        .create({ ...inRepo(n), title: getName(n), head: 'topic', base: 'main' }, options)
        .then(titled(n)),
  },
  { name: 'releases.uploadAsset', method: 'POST', kind: 'once', weight: 3, run: upload },
];

const changes: readonly SoakCall[] = [
  {
    name: 'teams.update',
    method: 'PATCH',
    kind: 'once',
    weight: 3,
    run: (client, n, options) =>
      client.teams.update({ id: n, name: getName(n) }, options).then(named(n)),
  },
  {
    name: 'contents.create',
    method: 'PUT',
    kind: 'once',
    weight: 5,
    run: (client, n, options) =>
      client.contents.create({ ...file(n), content: { text: 'soak' } }, options),
  },
  {
    name: 'starring.star',
    method: 'PUT',
    kind: 'idempotent',
    weight: 5,
    run: (client, n, options) => client.starring.star(inRepo(n), options),
  },
];

const deletes: readonly SoakCall[] = [
  {
    name: 'releases.delete',
    method: 'DELETE',
    kind: 'once',
    weight: 4,
    run: (client, n, options) => client.releases.delete({ ...inRepo(n), id: 1 }, options),
  },
  {
    name: 'releases.delete of a missing release',
    method: 'DELETE',
    kind: 'missing',
    weight: 3,
    run: (client, n, options) => client.releases.delete({ ...inRepo(n), id: 404 }, options),
  },
  {
    name: 'teams.removeMember',
    method: 'DELETE',
    kind: 'idempotent',
    weight: 4,
    run: (client, n, options) =>
      client.teams.removeMember({ id: n, username: getName(n) }, options),
  },
];

/** Calls with every HTTP method and every retry-safety class. */
export const soakCalls: readonly SoakCall[] = [...reads, ...posts, ...changes, ...deletes];

function file(operation: number) {
  return { ...inRepo(operation), path: 'docs/a#b.md', message: getName(operation) };
}

/** Reads a list and checks that each item appears exactly once, in order. */
async function crawl(
  client: HostingClient,
  operation: number,
  options: HostingRequestOptions,
): Promise<void> {
  let index = 0;
  for await (const pull of client.pulls.list(
    { ...inRepo(operation), per_page: itemsOfPage },
    options,
  )) {
    same('item', pull.title, `${getName(operation)} ${index}`);
    index++;
  }
  same('items', index, itemsOfPage * pagesOfList);
}

/** Repeats a read and checks that a cached response equals the server's current data. */
async function repeatRead(
  client: HostingClient,
  operation: number,
  options: HostingRequestOptions,
): Promise<void> {
  for (let time = 0; time < 4; time++) {
    const { data, response } = await client.teams.get({ id: operation }, options).withResponse();
    named(operation)(data);
    same('version', String(data.members_count), response.headers['x-soak-version']);
  }
}

async function upload(
  client: HostingClient,
  operation: number,
  options: HostingRequestOptions,
  origin: string,
): Promise<void> {
  const data = getFile(operation);
  const asset = await client.releases.uploadAsset(
    {
      upload_url: `${origin}/uploads/${getName(operation)}/assets{?name,label}`,
      name: getName(operation),
      content_type: 'application/zip',
      data,
    },
    options,
  );
  same('size', asset.size, data.length);
}
