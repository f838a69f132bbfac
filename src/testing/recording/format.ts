import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { measureJson } from '../bodies.js';

/** Recorded body. At most one of its members is set. */
export interface RecordedBody {
  /** Value of a JSON body. */
  readonly json?: unknown;
  /** Text of a body that isn't JSON. */
  readonly text?: string | undefined;
  /** Path of the body's file, relative to the recording folder. */
  readonly file?: string | undefined;
}

/** Request and response in one line of a recording, with secrets masked. */
export interface RecordedExchange {
  /** The request. */
  readonly request: RecordedBody & {
    /** HTTP method. */
    readonly method: string;
    /** URL with secrets masked. */
    readonly url: string;
    /** Headers that the response may depend on. */
    readonly headers: Readonly<Record<string, string>>;
  };
  /** The response. */
  readonly response: RecordedBody & {
    /** HTTP status. */
    readonly status: number;
    /** Headers with secrets masked. */
    readonly headers: Readonly<Record<string, string>>;
  };
}

const fileName = 'exchanges.ndjson';
const bodiesName = 'bodies';
/** Maximum length of inline text, in characters. Longer text is stored in a file. */
const inlineSize = 65_536;

/** Returns whether bodies of a media type are human-readable text. */
export function isText(contentType: string): boolean {
  return /^text\/|\bjson\b|\bxml\b|\bx-www-form-urlencoded\b|\bjavascript\b/i.test(contentType);
}

/** Writes exchanges one at a time so that a crash loses no complete exchange. */
export class RecordingWriter {
  readonly #folder: string;
  #files = 0;

  /**
   * @param folder Recording folder. Created if it doesn't exist. An existing recording in the
   * folder is replaced.
   */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const [bodies, exchanges] = [join(folder, bodiesName), join(folder, fileName)];
    if (existsSync(bodies) && !existsSync(exchanges)) {
      throw new Error(
        `createRecorder: to: ${bodies}: already exists, but ${folder} contains no recording. Use another folder.`,
      );
    }
    // Removes files instead of overwriting them, because a link could point to another file.
    for (const path of [bodies, exchanges]) rmSync(path, { recursive: true, force: true });
    writeFileSync(exchanges, '', { flag: 'wx' });
  }

  add(exchange: RecordedExchange): void {
    appendFileSync(join(this.#folder, fileName), `${JSON.stringify(exchange)}\n`);
  }

  /** Records a small text body inline and a larger text body in a file. */
  body(contentType: string, text: string): RecordedBody {
    const inline = inlineBody(contentType, text);
    if (inline) return inline;
    return this.file(/\bjson\b/i.test(contentType) ? 'json' : 'txt', text);
  }

  /**
   * Records a body in a file.
   * @throws {Error} if the file exists, because another recorder uses the same folder.
   */
  file(extension: string, body: string | Uint8Array): RecordedBody {
    mkdirSync(join(this.#folder, bodiesName), { recursive: true });
    this.#files += 1;
    const file = `${bodiesName}/${String(this.#files).padStart(4, '0')}.${extension}`;
    writeFileSync(join(this.#folder, file), body, { flag: 'wx' });
    return { file };
  }
}

/** Returns a text body for the exchange's line. Undefined if the body is too large. */
export function inlineBody(contentType: string, text: string): RecordedBody | undefined {
  if (text === '') return {};
  if (text.length > inlineSize) return undefined;
  const value = /\bjson\b/i.test(contentType) ? exactly(text) : undefined;
  return value === undefined ? { text } : { json: value };
}

/** Parses JSON. Returns undefined if serializing the value would change the text, such as its numbers. */
function exactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const isSame =
      measureJson(text).depth <= deepest &&
      JSON.stringify(value) === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isSame ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Maximum nesting depth of inline JSON. Serializing or comparing deeper values would overflow the stack. */
const deepest = 500;

/** Reads a recording. @throws {Error} if the folder has no recording, or a line is not an exchange. */
export function readRecording(folder: string): RecordedExchange[] {
  const path = join(folder, fileName);
  let text: string;
  try {
    text = readWithin(folder, fileName).toString();
  } catch (cause) {
    throw new Error(`replay: ${folder}: must contain a recording (${path} cannot be read)`, {
      cause,
    });
  }
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => parseExchange(line, `${path}, line ${number}`));
}

function parseExchange(line: string, where: string): RecordedExchange {
  try {
    return z.parse(exchangeSchema, JSON.parse(line));
  } catch {
    throw new Error(`replay: ${where}: must be an exchange recorded by createRecorder`);
  }
}

const headersSchema = z.record(z.string(), z.string()).check(
  z.refine((headers) => {
    new Headers(headers); // throws a TypeError for an invalid name or value
    return true;
  }),
);
const bodySchema = {
  json: z.optional(z.unknown()),
  text: z.optional(z.string()),
  // Accepts only names that `RecordingWriter.file` creates, so a recording can't refer to other
  // files.
  file: z.optional(z.string().check(z.regex(/^bodies\/\d+\.[a-z]+$/))),
};
const exchangeSchema: z.core.$ZodType<RecordedExchange> = z.object({
  request: z.object({
    ...bodySchema,
    method: z.string(),
    url: z.string().check(z.refine((url) => /^https?:$/.test(new URL(url).protocol))),
    headers: headersSchema,
  }),
  response: z.object({
    ...bodySchema,
    status: z.int().check(z.minimum(200), z.maximum(599)),
    headers: headersSchema,
  }),
});

/** Reads a file in a recording. @throws {Error} if the file is missing or is a link. */
function readWithin(folder: string, name: string): Buffer {
  const path = join(folder, name);
  if (realpathSync(path) !== join(realpathSync(folder), name)) {
    throw new Error(`replay: ${path}: must be a file in the recording's folder, not a link`);
  }
  // Reading a named pipe would block.
  if (!statSync(path).isFile()) throw new Error(`replay: ${path}: must be a regular file`);
  return readFileSync(path);
}

export function readRecordedBody(folder: string, { json, text, file }: RecordedBody): Buffer {
  if (file !== undefined) return readWithin(folder, file);
  if (json !== undefined) return Buffer.from(JSON.stringify(json));
  return Buffer.from(text ?? '');
}

/**
 * Returns whether a request body equals the recorded body. Bodies stored in files are not compared.
 */
export function sameBody(recorded: RecordedBody, sent: RecordedBody): boolean {
  if (recorded.file !== undefined) return true;
  return isDeepStrictEqual([recorded.json, recorded.text], [sent.json, sent.text]);
}
