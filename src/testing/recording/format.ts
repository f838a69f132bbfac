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
import * as z from 'zod/mini';
import { describeKind } from '../../schema/unknown-values.js';
import { measureJson } from '../bodies.js';

/** Recorded body. At most one of its members is set. */
export interface RecordedBody {
  /** Value of a JSON body. */
  readonly json?: unknown;
  /** Text of a body that isn't JSON, or is JSON with unusual numbers or escapes. */
  readonly text?: string | undefined;
}

/** Recorded request, with secrets masked. The body is omitted if it is longer than 65,536 characters. */
export interface RecordedRequest extends RecordedBody {
  /** HTTP method. */
  readonly method: string;
  /** URL with secrets masked. */
  readonly url: string;
  /** Headers that the response may depend on. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Recorded response, with secrets masked. */
export interface RecordedResponse extends RecordedBody {
  /** HTTP status. */
  readonly status: number;
  /** Headers with secrets masked. */
  readonly headers: Readonly<Record<string, string>>;
  /** Path of the body's file, relative to the recording folder. */
  readonly file?: string | undefined;
}

/** Request and response in one line of a recording, with secrets masked. */
export interface RecordedExchange {
  /** The request. */
  readonly request: RecordedRequest;
  /** The response. */
  readonly response: RecordedResponse;
}

const fileName = 'exchanges.ndjson';
const bodiesName = 'bodies';
/** Maximum length of an inline body, in characters. Longer bodies of responses are stored in files. */
const inlineSize = 65_536;
/** Maximum depth of JSON. Visiting deeper values would overflow the stack. */
export const deepestJson = 500;

/** Returns whether bodies of a media type are human-readable text. */
export function isText(contentType: string): boolean {
  return /^text\/|\bjson\b|\bxml\b|\bx-www-form-urlencoded\b|\bjavascript\b/i.test(contentType);
}

function isJson(contentType: string): boolean {
  return /\bjson\b/i.test(contentType);
}

/** Returns a text body for the exchange's line. Undefined if the body is too large. */
export function createInlineBody(type: string, text: string): RecordedBody | undefined {
  if (text === '') return {};
  if (text.length > inlineSize) return undefined;
  const value = isJson(type) ? parseExactly(text) : undefined;
  return value === undefined ? { text } : { json: value };
}

/** Parses JSON. Returns undefined if serializing the value would change more than spaces, such as numbers. */
function parseExactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const isSame =
      measureJson(text).depth <= deepestJson &&
      JSON.stringify(value) === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
    return isSame ? value : undefined;
  } catch {
    return undefined;
  }
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
    if (typeof folder !== 'string' || folder === '') {
      const got = describeKind(folder);
      throw new TypeError(`createRecorder: to: must be the path of a folder (got ${got})`);
    }
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

  /**
   * Records an exchange, with a large or binary response body in a file.
   * @throws {Error} if the file exists, because another recorder uses the same folder.
   */
  add(request: RecordedRequest, head: RecordedResponse, body: string | Buffer): void {
    const response = { ...head, ...this.#body(body, head.headers['content-type'] ?? '') };
    appendFileSync(join(this.#folder, fileName), `${JSON.stringify({ request, response })}\n`);
  }

  #body(body: string | Buffer, type: string): Omit<RecordedResponse, 'status' | 'headers'> {
    if (body.length === 0) return {};
    if (typeof body !== 'string') return this.#file('bin', body);
    return createInlineBody(type, body) ?? this.#file(isJson(type) ? 'json' : 'txt', body);
  }

  #file(extension: string, body: string | Uint8Array): Pick<RecordedResponse, 'file'> {
    mkdirSync(join(this.#folder, bodiesName), { recursive: true });
    this.#files += 1;
    const file = `${bodiesName}/${String(this.#files).padStart(4, '0')}.${extension}`;
    writeFileSync(join(this.#folder, file), body, { flag: 'wx' });
    return { file };
  }
}

/** Reads a recording. @throws {Error} if the folder has no recording, or a line is not an exchange. */
export function readRecording(folder: string): RecordedExchange[] {
  const path = join(folder, fileName);
  let text: string;
  try {
    // Reading a named pipe would block, and a device may be endless.
    if (!statSync(path).isFile()) throw new Error(`${path} is not a regular file`);
    text = readFileSync(path, 'utf8');
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
    // Accepts only names that the writer creates, so a recording can't refer to other files.
    file: z.optional(z.string().check(z.regex(/^bodies\/\d+\.[a-z]+$/))),
  }),
});

/** Reads a recorded body. @throws {Error} if its file is missing, or isn't a regular file in the folder. */
export function readRecordedBody(folder: string, { json, text, file }: RecordedResponse): Buffer {
  if (file === undefined) return Buffer.from(text ?? JSON.stringify(json) ?? '');
  const path = join(folder, file);
  if (realpathSync(path) !== join(realpathSync(folder), file)) {
    throw new Error(`replay: ${path}: must be a file in the recording's folder, not a link`);
  }
  // Reading a named pipe would block.
  if (!statSync(path).isFile()) throw new Error(`replay: ${path}: must be a regular file`);
  return readFileSync(path);
}
