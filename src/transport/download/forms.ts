import { Readable } from 'node:stream';
import type { OptionNames } from '../../option-names.js';
import { showValue } from '../../schema/unknown-values.js';
import { type AuthOptions, callNames } from '../options.js';
import type { ResponseSpec } from '../request/endpoint.js';
import { createInputError } from '../request/input.js';

/** Progress of a download. */
export interface DownloadProgress {
  /** Number of bytes written to the file. Decreases if the download starts over. */
  readonly received: number;
  /** Total number of bytes. Undefined if the server doesn't report it. */
  readonly total: number | undefined;
}

/** Options for a download. */
export interface DownloadOptions<Auth> extends AuthOptions<Auth> {
  /**
   * Type of the result: `stream` (a Node `Readable`), `web` (a `ReadableStream`), or `bytes` (a
   * buffer of at most `maxResponseBytes`). With `bytes`, the client retries if the connection
   * breaks. Default: `stream`.
   */
  readonly as?: 'stream' | 'web' | 'bytes' | undefined;
  /**
   * Path or `file:` URL of a file to save the download to. The file appears only when the download
   * is complete. If the connection breaks, the download resumes or starts over once, unless `retry`
   * allows no more attempts. Default: no file.
   */
  readonly to?: string | URL | undefined;
  /**
   * Callback that the client calls when it writes bytes to the file. Requires `to`. The download
   * fails if the callback throws, or if its promise rejects while bytes are arriving. The client
   * doesn't await the promise. Default: none.
   */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

export const downloadNames: OptionNames<DownloadOptions<unknown>> = {
  ...callNames,
  as: true,
  to: true,
  onProgress: true,
};

/** A completely downloaded file. */
export interface DownloadedFile {
  /** Absolute file path, with symlinks resolved. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Result of a download: a file if `to` is set, otherwise the type that `as` specifies. */
export type DownloadResult = Readable | ReadableStream<Uint8Array> | Uint8Array | DownloadedFile;

interface ToFile {
  readonly to: string | URL;
}

interface As<Form> {
  readonly as: Form;
}

/** Result of a download with `Options`. */
export type Downloaded<Options> = Options extends ToFile
  ? DownloadedFile
  : Options extends As<infer Form extends keyof DownloadForms>
    ? DownloadForms[Form]
    : Extract<keyof Options, 'as' | 'to'> extends never
      ? Readable
      : DownloadResult;

interface DownloadForms {
  readonly stream: Readable;
  readonly web: ReadableStream<Uint8Array>;
  readonly bytes: Uint8Array;
}

/**
 * `Options`, in which unknown properties have the type `never`. The compiler itself doesn't report
 * unknown properties in a generic method's argument.
 */
export type Exactly<Options> = {
  readonly [Name in keyof Options]: Name extends keyof DownloadOptions<unknown>
    ? Options[Name] & DownloadOptions<unknown>[Name]
    : never;
};

/**
 * Creates the rules for a download as a stream or as bytes.
 * @throws {InvalidRequestError} if the options can't be combined.
 */
export function createFormSpec(
  spec: ResponseSpec<Readable>,
  { as = 'stream', onProgress }: DownloadOptions<unknown>,
): ResponseSpec<Exclude<DownloadResult, DownloadedFile>> {
  if (onProgress !== undefined) {
    throw createInputError(
      'onProgress',
      "must be used only with the option 'to'. To measure the progress of a stream, count its bytes.",
    );
  }
  switch (as) {
    case 'stream':
      return spec;
    case 'web':
      // `as`: the transport returns a Readable for this kind.
      return { ...spec, map: (value) => toWebStream(value as Readable) };
    case 'bytes':
      // The transport returns a Buffer for this kind, so the value needs no mapping.
      return { ...spec, kind: 'bytes', map: undefined };
    default:
      throw createInputError('as', `must be 'stream', 'web' or 'bytes' (got ${showValue(as)})`);
  }
}

function toWebStream(stream: Readable): ReadableStream<Uint8Array> {
  // Don't read ahead, because the underlying stream has a buffer and must stay unread until this
  // stream is read.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 0 });
  // `as`: Node's web stream and the global web stream are one class with two type declarations.
  return Readable.toWeb(stream, { strategy }) as ReadableStream<Uint8Array>;
}
