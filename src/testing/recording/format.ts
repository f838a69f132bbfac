import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Recorded body. At most one of its members is set. */
export interface RecordedBody {
  /** Value of a JSON body. */
  readonly json?: unknown;
  /** Text of a body that isn't JSON, or is JSON with spaces or unusual numbers. */
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
export const inlineSize = 65_536;

/** Returns whether bodies of a media type are human-readable text. True for an unknown type. */
export function isText(contentType: string): boolean {
  return /^$|^text\/|\bjson\b|\bxml\b|\bx-www-form-urlencoded\b|\bjavascript\b/i.test(contentType);
}

export function isJson(contentType: string): boolean {
  return /\bjson\b/i.test(contentType);
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

  /**
   * Records an exchange, with a large or binary response body in a file.
   * @throws {Error} if the file exists, because another recorder uses the same folder.
   */
  add(request: RecordedRequest, head: RecordedResponse, body: RecordedBody | Buffer): void {
    const response = { ...head, ...this.#body(body, head.headers['content-type'] ?? '') };
    appendFileSync(join(this.#folder, fileName), `${JSON.stringify({ request, response })}\n`);
  }

  #body(body: RecordedBody | Buffer, type: string): Omit<RecordedResponse, 'status' | 'headers'> {
    if (Buffer.isBuffer(body)) return this.#file('bin', body);
    const text = body.text ?? JSON.stringify(body.json) ?? '';
    if (text.length <= inlineSize) return body;
    return this.#file(isJson(type) ? 'json' : 'txt', text);
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

/** Reads a recorded body. @throws {Error} if its file is missing or is a link, which could lead out of the folder. */
export function readRecordedBody(folder: string, { json, text, file }: RecordedResponse): Buffer {
  if (file === undefined) return Buffer.from(text ?? JSON.stringify(json) ?? '');
  const path = join(folder, file);
  if (realpathSync(path) !== join(realpathSync(folder), file)) {
    throw new Error(`replay: ${path}: must be a file in the recording's folder, not a link`);
  }
  return readFileSync(path);
}
