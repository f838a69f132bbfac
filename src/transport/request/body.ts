import { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';

/** A request body that can be sent as often as needed. */
export interface TextBody {
  readonly kind: 'text';
  readonly text: string;
  readonly contentType: string;
}

/** Form fields (`application/x-www-form-urlencoded`); credentials may be added as further fields. */
export interface FormBody {
  readonly kind: 'form';
  readonly text: string;
}

/** Bytes in memory. */
export interface BytesBody {
  readonly kind: 'bytes';
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** A body that is opened anew for each attempt, if it can be. */
export interface StreamBody {
  readonly kind: 'stream';
  /** @throws whatever makes the source unreadable; nothing has been sent then. */
  open(): Promise<OpenBody>;
  /** False for a one-shot stream: it is sent once, and a retry or redirect is an error that says so. */
  readonly replayable: boolean;
}

/** One opening of a {@link StreamBody}. */
export interface OpenBody {
  readonly stream: Readable;
  readonly contentType: string;
  /** Length in bytes; undefined sends it chunked. */
  readonly length: number | undefined;
  /** Gives back the memory of a chunk that was written; without it none is used again. */
  readonly recycle?: ((chunk: Buffer) => void) | undefined;
}

/** What a request carries. */
export type RequestBody = TextBody | FormBody | BytesBody | StreamBody;

/** The media type of {@link FormBody}. */
export const formType = 'application/x-www-form-urlencoded';

/** Content type of a body in memory; undefined for a stream, which names its type when it is opened. */
export function contentTypeOf(body: RequestBody): string | undefined {
  if (body.kind === 'stream') return undefined;
  return body.kind === 'form' ? formType : body.contentType;
}

/** Content of a body in memory; undefined for a stream. */
export function payloadOf(body: RequestBody): string | Uint8Array | undefined {
  if (body.kind === 'stream') return undefined;
  return body.kind === 'bytes' ? body.bytes : body.text;
}

/**
 * A body of JSON; undefined members are left out, as the wire has no undefined.
 * @param what the input in the words of its error, as `json` or `pulls.create: body`.
 * @throws {InvalidRequestError}
 */
export function jsonBody(value: unknown, what: string, field: string): TextBody {
  const text = jsonText(value, what, field);
  return { kind: 'text', text, contentType: 'application/json; charset=utf-8' };
}

/** @throws {InvalidRequestError} a value that JSON has no form for: a function, a BigInt, an object within itself. */
export function jsonText(value: unknown, what: string, field: string): string {
  let cause: unknown;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  const options = cause === undefined ? undefined : { cause };
  throw new InvalidRequestError(`${what}: expected a value that JSON can express`, {
    field,
    ...options,
  });
}

/** Destroys the caller's own streams if a call fails, because it may fail before it reads them. */
export function destroyUnsent(input: object, running: Promise<unknown>): void {
  const streams = Object.values(input).filter((each) => each instanceof Readable);
  if (streams.length === 0) return;
  running.catch(() => {
    for (const stream of streams) stream.on('error', () => undefined).destroy();
  });
}
