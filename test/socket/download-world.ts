import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Seen, serve, type TestServer } from '../support/server.js';

export const asset = { owner: 'o', repo: 'r', id: 7 };
export const content = randomBytes(400_000);
export const etag = '"one"';

/** Compared in place of the bytes, which would take seconds. */
export const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A folder that ends with the test, and what is in it. */
export async function folder(): Promise<{ path: string; names: () => Promise<string[]> }> {
  const path = await mkdtemp(join(tmpdir(), 'triforge-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return { path, names: () => readdir(path) };
}

/** What a server says of a file, and how much of it. */
export interface Answering {
  readonly body?: Buffer;
  /** Over `etag`, `content-length` and, of a part, `content-range`; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly status?: number;
  /** The connection breaks after so many bytes of this answer. */
  readonly cutAfter?: number;
}

/** Answers what was asked for of a file, as RFC 9110 says, but for what is said otherwise. */
export function answer(request: Seen, response: ServerResponse, how: Answering = {}): void {
  const { body = content, cutAfter } = how;
  const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1];
  const from = Number(asked ?? 0);
  const part = body.subarray(from);
  const fields = {
    'content-type': 'application/zip',
    'content-length': String(part.length),
    etag,
    ...(asked !== undefined && {
      'content-range': `bytes ${from}-${body.length - 1}/${body.length}`,
    }),
    ...how.headers,
  };
  const headers = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  response.writeHead(how.status ?? (asked === undefined ? 200 : 206), Object.fromEntries(headers));
  if (cutAfter === undefined) response.end(part);
  else response.write(part.subarray(0, cutAfter), () => response.destroy());
}

/** A server that answers one after the other in these ways, and then as it should. */
export async function serveIn(ways: readonly Answering[]): Promise<TestServer> {
  return await serve((request, response, index) => answer(request, response, ways[index]));
}

/** What each request asked for. */
export function asked(server: TestServer): unknown[] {
  return server.requests.map(({ headers }) => ({
    range: headers.range !== undefined,
    validator: headers['if-range'],
  }));
}
