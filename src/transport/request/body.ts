import { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import { formatGot } from '../../schema/unknown-values.js';

/** JSON text. */
export interface JsonBody {
  readonly kind: 'json';
  readonly text: string;
}

/** Form fields (`application/x-www-form-urlencoded`). Credentials may be added as fields. */
export interface FormBody {
  readonly kind: 'form';
  readonly text: string;
}

/** A streamed body. It is reopened for each attempt, unless it can be read only once. */
export interface StreamBody {
  readonly kind: 'stream';
  /** @throws if the source can't be read. Throws before anything is sent. */
  open(): Promise<OpenBody>;
  /**
   * False for a stream that can be read only once, so the request can't be retried or redirected.
   */
  readonly replayable: boolean;
}

/** A {@link StreamBody} that was opened for one attempt. */
export interface OpenBody {
  readonly stream: Readable;
  readonly contentType: string;
  /** Length in bytes. If undefined, the body is sent chunked. */
  readonly length: number | undefined;
}

export type RequestBody = JsonBody | FormBody | StreamBody;

export const mediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  bytes: 'application/octet-stream',
} as const;

/**
 * Returns an in-memory body's content type. Undefined for a stream, whose type is known only once
 * it is open.
 */
export function getContentType(body: RequestBody): string | undefined {
  if (body.kind === 'stream') return undefined;
  return body.kind === 'form' ? mediaTypes.form : `${mediaTypes.json}; charset=utf-8`;
}

/**
 * Converts a value to JSON text. Omits undefined properties.
 * @param what name of the input in errors, such as `json` or `pulls.create: body`.
 * @throws {InvalidRequestError} if JSON can't represent the value (a function, a bigint or a
 * circular object).
 */
export function serializeJson(value: unknown, what: string, field: string): string {
  let cause: unknown;
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text !== undefined) return text;
  } catch (error) {
    cause = error;
  }
  const options = cause === undefined ? undefined : { cause };
  throw new InvalidRequestError(
    `${what}: must be serializable as JSON${formatGot(value, 'object', 'array')}`,
    {
      field,
      ...options,
    },
  );
}

/**
 * Destroys the caller's streams if a call fails, because the call may have left them unread. If the
 * call succeeds, destroys only unread streams.
 */
export function destroyUnsent(input: object, running: Promise<unknown>): void {
  const streams = findStreams(input);
  if (streams.length === 0) return;
  const isUnread = (stream: AnyStream) => !(stream instanceof Readable && stream.readableDidRead);
  running.then(
    () => streams.filter(isUnread).forEach(destroy),
    () => streams.forEach(destroy),
  );
}

type AnyStream = Readable | ReadableStream;

function destroy(stream: AnyStream): void {
  if (stream instanceof Readable) stream.on('error', () => undefined).destroy();
  // `cancel` rejects if the upload has opened the stream. The upload then cancels the stream.
  else stream.cancel().catch(() => undefined);
}

/**
 * Finds the streams in an input. Empty if a getter throws, because the call then rejects with the
 * getter's error.
 */
function findStreams(input: object): AnyStream[] {
  try {
    return Object.values(input).filter(
      (each) => each instanceof Readable || each instanceof ReadableStream,
    );
  } catch {
    return [];
  }
}
