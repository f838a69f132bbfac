import { Readable } from 'node:stream';
import { brotliDecompressSync, unzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { headersOf, targetOf } from '../outgoing.js';
import { isRecorded, recordedBytes } from '../recorded.js';
import { askedOf } from './asked.js';
import { isText, type RecordedBody, type RecordingWriter } from './format.js';
import type { Masks } from './masks.js';

/** Fields that say how an answer was transferred, which the next transfer says anew. */
const ofTransfer: ReadonlySet<string> = new Set(
  'connection content-length keep-alive trailer transfer-encoding'.split(' '),
);

type Handler = Required<Dispatcher.DispatchHandler>;

/** A request that goes out, and its body's text as far as it went out. */
export interface Sent {
  readonly options: Dispatcher.DispatchOptions;
  /** Undefined where it is not worth a record. */
  readonly body: () => string | undefined;
}

/** Listens to one exchange, and records it once its answer has come whole. */
export class Tap implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #sent: Sent;
  readonly #masks: Masks;
  readonly #writer: RecordingWriter;
  #status = 0;
  #headers = new Headers();
  /** A text, which is held to be masked. */
  readonly #pieces: Uint8Array[] = [];
  /** Anything else, which is not held. */
  #file: ReturnType<RecordingWriter['file']> | undefined;

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
  }

  onRequestStart(...[controller, context]: Parameters<Handler['onRequestStart']>): void {
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...parts: Parameters<Handler['onRequestUpgrade']>): void {
    this.#handler.onRequestUpgrade?.(...parts);
  }

  onResponseStart(...parts: Parameters<Handler['onResponseStart']>): void {
    const [, status, headers] = parts;
    // Of an interim answer too: the last one is recorded.
    this.#status = status;
    this.#headers = headersOf(headers);
    this.#handler.onResponseStart?.(...parts);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy: the bytes belong to the connection.
    if (isText(this.#type)) this.#pieces.push(Buffer.from(chunk));
    else {
      this.#file ??= this.#writer.file('bin');
      this.#file.write(chunk);
    }
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...parts: Parameters<Handler['onResponseEnd']>): void {
    // Before the reader is told: the next thing it does may be to look at the recording.
    this.#record();
    this.#handler.onResponseEnd?.(...parts);
  }

  onResponseError(...parts: Parameters<Handler['onResponseError']>): void {
    this.#handler.onResponseError?.(...parts);
  }

  get #type(): string {
    return this.#headers.get('content-type') ?? '';
  }

  #record(): void {
    const { options } = this.#sent;
    const {
      method,
      url,
      headers: asked,
      text,
    } = askedOf(
      this.#masks,
      options.method,
      new URL(String(options.origin)).origin + targetOf(options),
      headersOf(options.headers),
      this.#sent.body(),
    );
    const sent = text === undefined ? {} : this.#writer.body(asked['content-type'] ?? '', text);
    const [body, decoded] = this.#answered();
    const headers: Record<string, string> = {};
    for (const [name, value] of this.#headers) {
      const length = name === 'content-length' && method === 'HEAD';
      if ((ofTransfer.has(name) && !length) || (decoded && name === 'content-encoding')) continue;
      headers[name] = this.#masks.header(name, value);
    }
    this.#writer.add({
      request: { method, url, headers: asked, ...sent },
      response: { status: this.#status, headers, ...body },
    });
  }

  /** The body, and whether its content coding was taken off. */
  #answered(): readonly [body: RecordedBody, decoded: boolean] {
    if (this.#file) return [{ file: this.#file.name }, false];
    const bytes = Buffer.concat(this.#pieces);
    const plain = decoded(bytes, this.#headers.get('content-encoding'));
    if (plain) {
      return [
        this.#writer.body(this.#type, this.#masks.text(this.#type, plain.toString(), false)),
        true,
      ];
    }
    const file = this.#writer.file('bin');
    file.write(bytes);
    return [{ file: file.name }, false];
  }
}

/** Undefined for a coding that is not known, or bytes that are not of it. */
function decoded(bytes: Buffer, coding: string | null): Buffer | undefined {
  if (coding === null || coding === 'identity' || bytes.length === 0) return bytes;
  try {
    if (coding === 'br') return brotliDecompressSync(bytes);
    if (/^(?:x-)?gzip$|^deflate$/.test(coding)) return unzipSync(bytes);
  } catch {
    return undefined;
  }
  return undefined;
}

/** A request to be sent in place of the given one, whose body is seen as it goes out. */
export function sentOf(options: Dispatcher.DispatchOptions): Sent {
  const body: unknown = options.body;
  if (!isRecorded(headersOf(options.headers).get('content-type') ?? '')) {
    return { options, body: () => undefined };
  }
  if (typeof body === 'string') return { options, body: () => body };
  if (body instanceof Uint8Array) return { options, body: () => Buffer.from(body).toString() };
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) {
    return { options, body: () => undefined };
  }
  const seen: Buffer[] = [];
  let size = 0;
  // `as`: what has this symbol is iterable, and `fetch` and streams yield bytes or text.
  const pieces = body as AsyncIterable<string | Uint8Array>;
  async function* watched() {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      size += bytes.length;
      if (size <= recordedBytes) seen.push(bytes);
      yield bytes;
    }
  }
  return {
    options: { ...options, body: Readable.from(watched()) },
    body: () => (size <= recordedBytes ? Buffer.concat(seen).toString() : undefined),
  };
}
