import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { HostingClientOptions } from '../../src/hosting/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { type Seen, serve, type TestServer } from '../support/server.js';

export const asset = { owner: 'o', repo: 'r', id: 7 };
export const content = randomBytes(400_000);
export const etag = '"one"';

/**
 * Returns the SHA-256 hash of `bytes`. Tests compare hashes, because comparing bytes would take
 * seconds.
 */
export const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Creates a folder and deletes it when the test ends. */
export async function folder(): Promise<{ path: string; names: () => Promise<string[]> }> {
  const path = await mkdtemp(join(tmpdir(), 'triforge-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return { path, names: () => readdir(path) };
}

/** A server's response to a file download. */
export interface ResponseOptions {
  readonly body?: Buffer;
  /**
   * Headers that override `etag`, `content-length` and, for a part, `content-range`. Undefined
   * removes a header.
   */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly status?: number;
  /** Number of bytes after which the connection breaks. */
  readonly cutAfter?: number;
}

/** Responds as RFC 9110 specifies, except for the changes in `how`. */
export function respond(request: Seen, response: ServerResponse, how: ResponseOptions = {}): void {
  const { body = content, cutAfter } = how;
  const requests = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  const from = Number(requests ?? 0);
  const part = body.subarray(from);
  const fields = {
    'content-type': 'application/zip',
    'content-length': String(part.length),
    etag,
    ...(requests !== undefined && {
      'content-range': `bytes ${from}-${body.length - 1}/${body.length}`,
    }),
    ...how.headers,
  };
  const headers = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  response.writeHead(
    how.status ?? (requests === undefined ? 200 : 206),
    Object.fromEntries(headers),
  );
  if (cutAfter === undefined) response.end(part);
  else response.write(part.subarray(0, cutAfter), () => response.destroy());
}

/** Starts a server that uses each entry of `ways` for one response, and then responds normally. */
export async function serveIn(ways: readonly ResponseOptions[]): Promise<TestServer> {
  return await serve((request, response, index) => respond(request, response, ways[index]));
}

/** Returns each request's If-Range validator and whether the request has a Range header. */
export function getRequests(server: TestServer): unknown[] {
  return server.requests.map(({ headers }) => ({
    range: headers.range !== undefined,
    validator: headers['if-range'],
  }));
}

/** `getRequests` returns this entry for a request of the complete file. */
export const whole = { range: false, validator: undefined };
/** Returns the entry of `getRequests` for a request of the rest of a file. */
export const rest = (validator: string) => ({ range: true, validator });

/** Options of a download to a file. */
interface DownloadOptions {
  /** Default: the file `a` in a new folder. */
  readonly to?: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { received: number; total: number | undefined }) => unknown;
  /** The client's options. */
  readonly client?: Partial<HostingClientOptions>;
}

/** Starts to download the asset to a file. `names` lists the files in the new folder. */
async function start(server: TestServer, { client, ...options }: DownloadOptions) {
  const { path, names } = await folder();
  const { releases } = createClient(server, client);
  return { names, call: releases.downloadAsset(asset, { to: join(path, 'a'), ...options }) };
}

/** Downloads the asset to a file, and returns the result and the hash of the file's bytes. */
export async function download(server: TestServer, options: DownloadOptions = {}) {
  const { call, names } = await start(server, options);
  const file = await call;
  return { ...file, names: await names(), hash: hash(await readFile(file.path)) };
}

/** Expects a download to a file to fail without leaving a file, and returns the error. */
export async function failDownload(server: TestServer, options: DownloadOptions = {}) {
  const { call, names } = await start(server, options);
  const error = await rejectionOf(call);
  expect(await names(), 'remaining files').toEqual([]);
  return error;
}
