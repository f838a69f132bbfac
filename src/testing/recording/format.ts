import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { compactJson } from './json-text.js';

/** A body: JSON as its value, other text, or a file beside the recording; at most one of them. */
export interface RecordedBody {
  /** The body, parsed. */
  readonly json?: unknown;
  /** The body, as text. */
  readonly text?: string | undefined;
  /** Below the recording's folder. */
  readonly file?: string | undefined;
}

/** A request and its answer: one line of a recording. Secrets are masked. */
export interface RecordedExchange {
  /** What was sent. */
  readonly request: RecordedBody & {
    /** HTTP method. */
    readonly method: string;
    /** Address, without secrets. */
    readonly url: string;
    /** Those that decide about the answer. */
    readonly headers: Readonly<Record<string, string>>;
  };
  /** What came back. */
  readonly response: RecordedBody & {
    /** HTTP status. */
    readonly status: number;
    /** Header fields, without secrets. */
    readonly headers: Readonly<Record<string, string>>;
  };
}

/** The file of a recording, in its folder. */
const fileName = 'exchanges.ndjson';
/** Texts above this size (characters) stand in files of their own. */
const inlineSize = 65_536;

/** Whether bodies of a media type are text that people read. */
export function isText(contentType: string): boolean {
  return /^text\/|\bjson\b|\bxml\b|\bx-www-form-urlencoded\b|\bjavascript\b/i.test(contentType);
}

/** Writes a recording, exchange by exchange: what was written stays, however the process ends. */
export class RecordingWriter {
  readonly #folder: string;
  #files = 0;

  /** @param folder made where there is none; a recording that it holds is replaced. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    // Removes instead of overwriting, because a link would lead to another file.
    for (const name of ['bodies', fileName]) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
    writeFileSync(join(folder, fileName), '', { flag: 'wx' });
  }

  add(exchange: RecordedExchange): void {
    appendFileSync(join(this.#folder, fileName), `${JSON.stringify(exchange)}\n`);
  }

  /** A text body: in the line itself where it is small. */
  body(contentType: string, text: string): RecordedBody {
    const inline = inlineBody(contentType, text);
    if (inline) return inline;
    const file = this.file(/\bjson\b/i.test(contentType) ? 'json' : 'txt');
    file.write(Buffer.from(text));
    return { file: file.name };
  }

  /** A new file, to which a body is written piece by piece. */
  file(extension: string): { readonly name: string; write(piece: Uint8Array): void } {
    this.#files += 1;
    const name = `bodies/${String(this.#files).padStart(4, '0')}.${extension}`;
    const path = join(this.#folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    return { name, write: (piece) => appendFileSync(path, piece) };
  }
}

/** A text body as it stands in a line; undefined where it is too large for it. */
export function inlineBody(contentType: string, text: string): RecordedBody | undefined {
  if (text === '') return {};
  if (text.length > inlineSize) return undefined;
  const value = /\bjson\b/i.test(contentType) ? exactly(text) : undefined;
  return value === undefined ? { text } : { json: value };
}

/** The value of a JSON text, where writing it again gives the same; undefined where numbers would change. */
function exactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const isSame = isShallow(text) && JSON.stringify(value) === compactJson(text);
    return isSame ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Deeper values overflow the stack when they are written or compared. */
const deepest = 500;

function isShallow(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > deepest) return false;
  }
  return true;
}

/** Reads a recording. @throws {Error} where there is none, or a line is no exchange. */
export function readRecording(folder: string): RecordedExchange[] {
  const path = join(folder, fileName);
  let text: string;
  try {
    text = readWithin(folder, fileName).toString();
  } catch (cause) {
    throw new Error(`replay: there is no recording in ${folder}: expected ${path}`, { cause });
  }
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => exchangeOf(line, `${path}, line ${number}`));
}

function exchangeOf(line: string, where: string): RecordedExchange {
  try {
    // `as`: each member that is used is looked at below.
    const exchange = JSON.parse(line) as RecordedExchange;
    const { request, response } = exchange;
    const whole =
      typeof request.method === 'string' &&
      /^https?:$/.test(new URL(request.url).protocol) &&
      areHeaders(request.headers) &&
      Number.isInteger(response.status) &&
      response.status >= 200 &&
      response.status <= 599 &&
      areHeaders(response.headers);
    if (whole && isBody(request) && isBody(response)) return exchange;
  } catch {
    // told below
  }
  throw new Error(`replay: ${where}: expected an exchange, as createRecorder writes it`);
}

/** Names and values that can be sent. */
function areHeaders(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false;
  const pairs = Object.entries(headers);
  new Headers(pairs); // throws a TypeError for an invalid name or value
  return pairs.every(([, value]) => typeof value === 'string');
}

function isBody({ text, file }: RecordedBody): boolean {
  return (text === undefined || typeof text === 'string') && isBodyFile(file);
}

/** Accepts only names that {@link RecordingWriter.file} creates, so that a recording can't name other files. */
function isBodyFile(name: unknown): boolean {
  return name === undefined || (typeof name === 'string' && /^bodies\/\d+\.[a-z]+$/.test(name));
}

/** Reads a file of a recording. @throws {Error} if the file is missing, or a link leads out of the folder. */
function readWithin(folder: string, name: string): Buffer {
  const path = join(folder, name);
  if (realpathSync(path) !== join(realpathSync(folder), name)) {
    throw new Error(`replay: ${path}: must be a file in the recording's folder, not a link`);
  }
  // Reading a pipe would wait for its writer.
  if (!statSync(path).isFile()) throw new Error(`replay: ${path}: must be a file`);
  return readFileSync(path);
}

/** The bytes of a recorded body. */
export function bytesOf(folder: string, { json, text, file }: RecordedBody): Buffer {
  if (file !== undefined) return readWithin(folder, file);
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return Buffer.from(text ?? '');
}

/** Whether a request body is the one that was recorded; a file is not compared. */
export function sameBody(recorded: RecordedBody, sent: RecordedBody): boolean {
  if (recorded.file !== undefined) return true;
  return isDeepStrictEqual([recorded.json, recorded.text], [sent.json, sent.text]);
}
