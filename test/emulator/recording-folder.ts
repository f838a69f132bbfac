import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { type Dispatcher, request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { createRecorder, type RecordedExchange, type Replay } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';

/** Returns the exchanges in a recording. */
export async function readLines(path: string): Promise<RecordedExchange[]> {
  const text = await readFile(join(path, 'exchanges.ndjson'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}

/** Reads all files of a recording. @returns All bytes as Latin-1. */
export async function readBytes(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

export interface RecordedResponse {
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Dispatcher.DispatchOptions['body'];
}

/** Sends requests one after another through a recorder and returns the recording's exchanges. */
export async function record(
  exchanges: readonly [Sent, RecordedResponse?][],
  secrets?: readonly string[],
) {
  const to = await createTemporaryFolder();
  const server = await serve((_seen, response, index) => {
    const { status = 200, headers = {}, body } = exchanges[index]?.[1] ?? {};
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);
  });
  const recorder = createRecorder({ to, secrets });
  onTestFinished(() => recorder.close());
  const got: Buffer[] = [];
  for (const [{ method = 'GET', path = '/', headers = {}, body = null }] of exchanges) {
    const response = await request(server.origin + path, {
      method: method as 'GET', // `as`: undici's type lists only known methods.
      headers,
      body,
      dispatcher: recorder,
    });
    got.push(Buffer.from(await response.body.arrayBuffer()));
  }
  return { to, recorder, server, got, lines: await readLines(to) };
}

/** Records one exchange. @returns All bytes of the recording as Latin-1. */
export async function readRecording(
  headers: OutgoingHttpHeaders,
  body: string | Buffer,
  sent: Sent = {},
): Promise<string> {
  const { to, got } = await record([[sent, { headers, body }]]);
  expect(got[0]?.equals(Buffer.from(body)), 'the caller receives the unchanged body').toBe(true);
  return readBytes(to);
}

export const json = { 'content-type': 'application/json' };

export const form = { 'content-type': 'application/x-www-form-urlencoded' };

export const origin = 'http://code.example.test';

/** An exchange of a handwritten recording. */
export interface Line {
  readonly method?: string;
  readonly url?: string;
  readonly sent?: object;
  readonly headers?: object;
  readonly response?: object;
}

/** Writes a recording. */
export async function createFolder(lines: readonly Line[]): Promise<string> {
  const folder = await createTemporaryFolder();
  await mkdir(join(folder, 'bodies'));
  const texts = lines.map(({ method = 'GET', url = '/', headers = {}, sent = {}, response = {} }) =>
    JSON.stringify({
      request: { method, url: url.startsWith('/') ? origin + url : url, headers, ...sent },
      response: { status: 200, headers: { 'content-type': 'text/plain' }, ...response },
    }),
  );
  await writeFile(join(folder, 'exchanges.ndjson'), `${texts.join('\n \n')}\n`);
  return folder;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends an in-process request to a replay. @returns Status, headers and text. For a 501, the text is the error message.
 */
export async function sendRequest(
  from: Replay,
  path: string,
  { method = 'GET', ...how }: RequestOptions = {},
) {
  const url = path.startsWith('/') ? origin + path : path;
  const response = await request(url, {
    method: method as 'GET', // `as`: undici's type lists only known methods.
    dispatcher: from,
    ...how,
  });
  const text = await response.body.text();
  const { statusCode: status, headers } = response;
  const output = status === 501 ? String(JSON.parse(text || '{}').message) : text;
  return { status, headers, text: output };
}

export const text = (word: string) => ({ response: { text: word } });
