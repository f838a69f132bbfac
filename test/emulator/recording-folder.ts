import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dispatcher, request } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { createRecorder, type RecordedExchange } from '../../src/testing/index.js';
import { serve } from '../support/server.js';

/** Creates a folder for a recording. Deletes the folder when the test ends. */
export async function recordingFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'triforge-recording-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

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
  const to = await recordingFolder();
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
