import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describeKind } from '../../schema/unknown-values.js';
import { deepestJson, isDeeper } from '../bodies.js';

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

/** Request and response on one line of a recording, with secrets masked. */
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

/**
 * Parses JSON. Returns undefined if serializing the value would change anything other than
 * whitespace, such as a number's format.
 */
function parseExactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    const isSame =
      !isDeeper(value, deepestJson) &&
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
    const exchange: RecordedExchange = JSON.parse(line);
    // Each constructor throws if a value is missing or invalid.
    new Request(exchange.request.url, { method: exchange.request.method });
    new Headers(exchange.request.headers);
    new Response(null, exchange.response);
    return exchange;
  } catch {
    throw new Error(`replay: ${where}: must be an exchange recorded by createRecorder`);
  }
}

/** Reads a recorded body. @throws {Error} if its file is missing. */
export function readRecordedBody(folder: string, { json, text, file }: RecordedResponse): Buffer {
  if (file === undefined) return Buffer.from(text ?? JSON.stringify(json) ?? '');
  return readFileSync(join(folder, bodiesName, basename(file)));
}
