import { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import type { OptionNames } from '../../option-names.js';
import { type AuthOptions, callNames } from '../call-settings.js';
import type { Answer } from '../request/endpoint.js';
import { shown } from '../request/input.js';

/** How far a download is. */
export interface DownloadProgress {
  /** Bytes written to the file; fewer again where it had to begin anew. */
  readonly received: number;
  /** Bytes in all; undefined where the server does not say. */
  readonly total: number | undefined;
}

/** Options of a download: in which form its bytes are wanted. */
export interface DownloadOptions<Auth> extends AuthOptions<Auth> {
  /**
   * `stream` (a Node `Readable`), `web` (a `ReadableStream`), or `bytes` (all of them, at most
   * `maxResponseBytes`; a broken connection is repeated). Default `stream`.
   */
  readonly as?: 'stream' | 'web' | 'bytes' | undefined;
  /**
   * Path or `file:` URL of a file that gets the bytes, whole or not at all. A broken connection is
   * resumed as often as `retry` says. Default: no file, the bytes are the result.
   */
  readonly to?: string | URL | undefined;
  /**
   * Called as bytes are written to the file; requires `to`. An error that it throws, or rejects with
   * while bytes still arrive, ends the download. Its promise isn't awaited. Default: none.
   */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** The names of {@link DownloadOptions}. */
export const downloadNames: OptionNames<DownloadOptions<unknown>> = {
  ...callNames,
  as: true,
  to: true,
  onProgress: true,
};

/** A file that was downloaded whole. */
export interface DownloadedFile {
  /** Where it is: absolute, symbolic links followed. */
  readonly path: string;
  /** Bytes in it. */
  readonly size: number;
}

/** The options of a download to a file. */
export interface ToFile {
  /** As {@link DownloadOptions.to}. */
  readonly to: string | URL;
}

/** The options of a download in one form. */
export interface As<Form extends DownloadOptions<unknown>['as']> {
  /** As {@link DownloadOptions.as}. */
  readonly as: Form;
  readonly to?: undefined;
}

/** The options of a download as a stream, which is the default. */
export type AsStream = Partial<As<'stream'>>;

/** What a download resolves to: the file of `to`, otherwise the form of `as`. */
export type DownloadResult = Readable | ReadableStream<Uint8Array> | Uint8Array | DownloadedFile;

/** The same answer in the form that is wanted, which is no file. @throws {InvalidRequestError} options that do not go together. */
export function inForm(
  answer: Answer<Readable>,
  { as = 'stream', onProgress }: DownloadOptions<unknown>,
): Answer<Exclude<DownloadResult, DownloadedFile>> {
  if (onProgress !== undefined) {
    throw new InvalidRequestError(
      'onProgress: it goes with to; who reads a stream sees how far it is',
      { field: 'onProgress' },
    );
  }
  switch (as) {
    case 'stream':
      return answer;
    case 'web':
      // `as`: the transport hands out a Readable for this kind.
      return { ...answer, map: (value) => webStream(value as Readable) };
    case 'bytes':
      // Its value, as it comes, is a Buffer.
      return { ...answer, kind: 'bytes', map: undefined };
    default:
      throw new InvalidRequestError(`as: expected 'stream', 'web' or 'bytes', got ${shown(as)}`, {
        field: 'as',
      });
  }
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  // Doesn't read ahead: the stream below has a buffer, and must stay unread until someone reads this one.
  const strategy = new ByteLengthQueuingStrategy({ highWaterMark: 0 });
  // `as`: Node's web stream and the global one are the same class with two type declarations.
  return Readable.toWeb(stream, { strategy }) as ReadableStream<Uint8Array>;
}
