import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import type { Replay } from '../../src/testing/index.js';
import { recordingFolder } from './recording-folder.js';

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
  const folder = await recordingFolder();
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
