import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { errorMessage } from '../../schema/unknown-values.js';
import { buildTarget, isForm, toHeaders } from '../outgoing.js';
import { recordedBytes } from '../recorded-body.js';
import { describeRecorded, type RequestedExchange } from './describe-request.js';
import { isText, type RecordedBody, type RecordingWriter } from './format.js';
import type { Masks } from './masks.js';

/** Response headers that describe the transfer. A replay sets its own values. */
const transferHeaders: ReadonlySet<string> = new Set(
  'connection content-length keep-alive trailer transfer-encoding'.split(' '),
);

type DispatchHandler = Required<Dispatcher.DispatchHandler>;

/** Outgoing request and the body text sent so far. */
export interface Sent {
  readonly options: Dispatcher.DispatchOptions;
  /** Returns the text. Undefined if the body is not recorded. */
  readonly body: () => string | undefined;
}

/**
 * Observes one exchange and records it when the response is complete. If recording fails, the call still
 * succeeds, and Node emits a process warning.
 */
export class RecordingHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #sent: Sent;
  readonly #masks: Masks;
  readonly #writer: RecordingWriter;
  #status = 0;
  #headers = new Headers();
  /** Body received so far. */
  readonly #pieces: Uint8Array[] = [];
  #size = 0;
  #hasFailed = false;

  constructor(
    sent: Sent,
    handler: Dispatcher.DispatchHandler,
    masks: Masks,
    writer: RecordingWriter,
  ) {
    this.#sent = sent;
    this.#handler = handler;
    this.#masks = masks;
    this.#writer = writer;
    // Learns the credentials now, because another exchange may contain them before this exchange is
    // complete.
    this.#try(() => this.#describeRequest());
  }

  onRequestStart(...[controller, context]: Parameters<DispatchHandler['onRequestStart']>): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...parts: Parameters<DispatchHandler['onRequestUpgrade']>): void {
    this.#handler.onRequestUpgrade?.(...parts);
  }

  onResponseStart(...parts: Parameters<DispatchHandler['onResponseStart']>): void {
    const [, status, headers] = parts;
    // Also runs for interim responses. The last response is recorded.
    this.#status = status;
    this.#try(() => {
      this.#headers = toHeaders(headers);
    });
    this.#handler.onResponseStart?.(...parts);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#try(() => this.#keep(chunk));
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...parts: Parameters<DispatchHandler['onResponseEnd']>): void {
    // Records the exchange before the reader sees the end, because the reader may then open the recording.
    this.#try(() => this.#record());
    this.#handler.onResponseEnd?.(...parts);
  }

  onResponseError(...parts: Parameters<DispatchHandler['onResponseError']>): void {
    this.#handler.onResponseError?.(...parts);
  }

  get #type(): string {
    return this.#headers.get('content-type') ?? '';
  }

  #try(step: () => void): void {
    if (this.#hasFailed) return;
    try {
      step();
    } catch (error) {
      this.#hasFailed = true;
      const { method, path } = this.#sent.options;
      const target = this.#masks.target(path);
      process.emitWarning(`${method} ${target} was not recorded: ${errorMessage(error)}`);
    }
  }

  #keep(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > longestBody) {
      this.#pieces.length = 0;
      throw new RangeError(`the body exceeds ${longestBody} bytes`);
    }
    // Copies the bytes, because undici reuses their buffer.
    this.#pieces.push(Buffer.from(chunk));
  }

  /** Returns the masked request. */
  #describeRequest(): RequestedExchange {
    const { options } = this.#sent;
    return describeRecorded(
      this.#masks,
      options.method,
      new URL(String(options.origin)).origin + buildTarget(options),
      toHeaders(options.headers),
      this.#sent.body(),
    );
  }

  #record(): void {
    const status = this.#status;
    if (status < 200 || status > 599) throw new RangeError(`status ${status} cannot be replayed`);
    this.#masks.learnHeaders(this.#headers);
    const writeBody = this.#prepareBody();
    // Masks the request after learning from the response, which may name a secret that the request contains.
    const { method, url, headers: maskedHeaders, text } = this.#describeRequest();
    const sent =
      text === undefined ? {} : this.#writer.body(maskedHeaders['content-type'] ?? '', text);
    const [body, decoded] = writeBody();
    const headers: Record<string, string> = {};
    for (const [name, value] of this.#headers) {
      const length = name === 'content-length' && method === 'HEAD';
      if ((transferHeaders.has(name) && !length) || (decoded && name === 'content-encoding'))
        continue;
      headers[this.#masks.target(name)] = this.#masks.header(name, value);
    }
    this.#writer.add({
      request: { method, url, headers: maskedHeaders, ...sent },
      response: { status, headers, ...body },
    });
  }

  /**
   * Learns the secrets in the body.
   * @returns a function that writes the body. The function returns the recorded body and whether
   * the content encoding was removed.
   */
  #prepareBody(): () => readonly [body: RecordedBody, decoded: boolean] {
    const type = this.#type;
    const bytes = Buffer.concat(this.#pieces);
    const plain = removeCodings(bytes, this.#headers.get('content-encoding'));
    const text = plain && decodeBytes(plain);
    const maskBody = text === undefined ? undefined : this.#masks.learnBody(type, text, false);
    return () => {
      const masked = maskBody?.();
      if (masked !== undefined && plain && isText(type) && isUtf8(plain)) {
        return [this.#writer.body(type, masked), true];
      }
      // A body without secrets is stored as received, with its content encoding.
      const isChanged = masked !== undefined && masked !== text;
      const encoding = plain && isUtf8(plain) ? 'utf8' : 'latin1';
      const kept = isChanged ? Buffer.from(masked, encoding) : bytes;
      return [this.#writer.file('bin', kept), isChanged];
    };
  }
}

/** Decodes UTF-8, or other bytes with one character per byte. */
function decodeBytes(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Maximum size of a body in bytes, also after decompression. Bodies are searched for secrets in memory. */
const longestBody = 64 * 1_048_576;

const mostInflated = { maxOutputLength: longestBody };

/**
 * Removes content encodings. Returns undefined if an encoding is unknown, or the bytes are invalid or too
 * large when decompressed.
 */
function removeCodings(bytes: Buffer, codings: string | null): Buffer | undefined {
  try {
    // Encodings are removed in reverse order, because the header lists them in the order they were applied.
    return (codings ?? '').toLowerCase().split(',').reduceRight(removeCoding, bytes);
  } catch {
    return undefined;
  }
}

/** Removes one content encoding. @throws {Error} if it is unknown, or the bytes are invalid. */
function removeCoding(bytes: Buffer, spaced: string): Buffer {
  const coding = spaced.trim();
  if (bytes.length === 0 || coding === '' || coding === 'identity') return bytes;
  if (coding === 'br') return brotliDecompressSync(bytes, mostInflated);
  // Some servers omit the zlib header, whose first byte has 8 in its low 4 bits.
  if (coding === 'deflate' && ((bytes[0] ?? 0) & 0x0f) !== 8) {
    return inflateRawSync(bytes, mostInflated);
  }
  if (/^(?:x-)?gzip$|^deflate$/.test(coding)) return unzipSync(bytes, mostInflated);
  throw new TypeError('unknown content encoding');
}

/** Wraps a request to record the body while it is being sent. */
export function captureRequest(options: Dispatcher.DispatchOptions): Sent {
  const body: unknown = options.body;
  // Reads strings, bytes, forms and streams. Only JSON and URL-encoded forms are
  // recorded, but secrets are learned from any text.
  if (typeof body === 'string') return { options, body: () => atMost(body) };
  if (body instanceof Uint8Array) {
    return { options, body: () => atMost(decodeBytes(Buffer.from(body))) };
  }
  if (isForm(body)) return { options, body: () => atMost(serializeForm(body)) };
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
    return { options, body: () => undefined };
  }
  const seen: Buffer[] = [];
  let size = 0;
  // `as`: the body is async iterable, and `fetch` and streams yield bytes or text.
  const pieces = body as AsyncIterable<string | Uint8Array>;
  async function* watched() {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      size += bytes.length;
      if (size <= recordedBytes) seen.push(bytes);
      yield bytes;
    }
  }
  const out = Readable.from(watched());
  // Closes the source, because a generator that never starts doesn't close its source.
  if (body instanceof Readable) out.once('close', () => body.destroy());
  return {
    options: { ...options, body: out },
    body: () => (size <= recordedBytes ? decodeBytes(Buffer.concat(seen)) : undefined),
  };
}

function atMost(text: string): string | undefined {
  return text.length <= recordedBytes ? text : undefined;
}

/** Serializes a form's text fields, without its files. */
function serializeForm(form: Iterable<[string, string | Blob]>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === 'string') pairs.append(name, value);
  return String(pairs);
}
