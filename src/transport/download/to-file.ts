import { randomBytes } from 'node:crypto';
import { fsync } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  ConnectionError,
  InvalidRequestError,
  ResponseBodyError,
  TimeoutError,
  TriforgeError,
} from '../../errors/index.js';
import { captureStack } from '../../errors/triforge-error.js';
import { forOneCall } from '../../option-names.js';
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { asError, describeKind, errorMessage, formatCount } from '../../schema/unknown-values.js';
import type { ApiClient, Call } from '../api-client.js';
import { computeBackoff } from '../decisions/retry-decision.js';
import type { Deadline } from '../dispatch/deadline.js';
import { resolveRetry } from '../options.js';
import { type Endpoint, type ResponseSpec, resolveResponseSpec } from '../request/endpoint.js';
import { catchRejection } from '../request/event-loop.js';
import { checkHeaders } from '../request/fields.js';
import { createInputError } from '../request/input.js';
import { formatMessage } from '../response/failure.js';
import type { WithResponse } from '../response/response-details.js';
import { type DownloadedFile, type DownloadOptions, downloadNames } from './forms.js';

const flush = promisify(fsync);

interface FileDownload<Auth, Input extends object> {
  readonly api: ApiClient<Auth>;
  readonly endpoint: Endpoint<Input, Readable>;
  readonly input: Input;
  readonly options: DownloadOptions<Auth>;
  readonly deadline: Deadline;
}

/** A response's body, which contains the whole file or the rest of it. */
interface Part {
  readonly body: Readable;
  /** Describes the request for this part, for errors. */
  readonly request: () => RequestInfo;
}

/**
 * Rest of a file, from an offset to the end. The path and the `ETag` identify the file's version.
 */
interface Rest {
  readonly from: number;
  readonly etag: string;
  readonly path: string;
}

/**
 * Calls an endpoint that responds with bytes, and writes them to a file, which appears only when it
 * is complete. If the connection breaks, resumes or restarts the download once.
 * @throws {InvalidRequestError} if an option can't be combined with `to`, or the file can't be
 * written.
 */
export async function downloadToFile<Auth, Input extends object>({
  api,
  endpoint,
  input,
  options,
  deadline,
}: FileDownload<Auth, Input>): Promise<WithResponse<DownloadedFile>> {
  const { settings } = api.transport;
  const retry = forOneCall(() => resolveRetry(options.retry, settings.retry));
  if (options.as !== undefined) {
    throw createInputError(
      'as',
      "must not be combined with the option 'to'. Use only one of them.",
    );
  }
  const headers = checkHeaders(options.headers ?? {});
  const request = (rest: Rest | undefined, limit: number): Call<Part> => {
    const response = createPartSpec(resolveResponseSpec(endpoint, input), rest);
    const own = {
      ...options,
      retry: { ...retry, limit },
      headers: [...createRangeHeaders(rest), ...headers],
    };
    return api.call({ ...endpoint, response }, input, own, downloadNames);
  };
  const file = await PartialFile.open(options.to);
  try {
    const first = await request(undefined, retry.limit).withResponse();
    let { response } = first;
    try {
      await file.receive(first.data, response, readLength(response), options.onProgress);
    } catch (error) {
      const failures = response.attempts;
      if (!isBroken(first.data, error) || failures > retry.limit) throw error;
      // If the call is interrupted meanwhile, the next request rejects with the reason.
      await deadline.sleep(computeBackoff({ failures, random: settings.random() }, retry));
      const rest = findRest(file, first.response);
      const second = await request(rest, retry.limit - failures).withResponse();
      ({ response } = second);
      const total = await file.seek(second, rest, readLength(first.response));
      await file.receive(second.data, response, total, options.onProgress);
    }
    if (deadline.interruption) throw new Error('the download was interrupted');
    await file.commit();
    return { data: { path: file.path, size: file.size }, response };
  } catch (error) {
    await file.discard();
    // This call sends nothing and rejects with the abort reason. `error` might not contain the
    // reason, because a stream can't fail with `null`.
    if (deadline.interruption) await request(undefined, 0);
    // A body breaks in a socket callback, whose stack doesn't contain the caller.
    if (error instanceof TriforgeError) captureStack(error);
    throw error;
  }
}

/**
 * Creates the rules for reading part of the file. Only 200 and 203 contain the whole file (RFC 9110
 * section 15.3).
 */
function createPartSpec(spec: ResponseSpec<Readable>, rest: Rest | undefined): ResponseSpec<Part> {
  return {
    ...spec,
    typeMismatch: (type, response, accept) => {
      const { status } = response;
      const brings = status === 200 || status === 203 || (status === 206 && rest !== undefined);
      return brings
        ? spec.typeMismatch?.(type, response, accept)
        : 'the body is not a complete file';
    },
    // `as`: the transport passes a Readable for this kind.
    map: (value, _response, call) => ({ body: value as Readable, request: () => call.describe() }),
  };
}

/**
 * Returns headers that request the rest of the file or the whole file. The headers request an
 * unencoded body, because byte ranges refer to the encoded body.
 */
function createRangeHeaders(rest: Rest | undefined): (readonly [string, string])[] {
  const identity = ['accept-encoding', 'identity'] as const;
  return rest ? [identity, ['range', `bytes=${rest.from}-`], ['if-range', rest.etag]] : [identity];
}

/** Returns whether the file's bytes differ from the bytes that were sent. */
function isEncoded({ headers }: ResponseInfo): boolean {
  return !/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? '');
}

function readLength(response: ResponseInfo): number | undefined {
  const length = response.headers['content-length'];
  return length === undefined || isEncoded(response) ? undefined : Number(length);
}

/**
 * Returns the rest of the file to request. Undefined if no bytes arrived, the body is encoded, or
 * the response has no strong `ETag`, which `If-Range` requires (RFC 9110 section 13.1.5).
 * `Last-Modified` isn't reliable, because it has a resolution of one second.
 */
function findRest({ size }: PartialFile, response: ResponseInfo): Rest | undefined {
  const { etag } = response.headers;
  const isStrong = etag !== undefined && /^"[!#-~]*"$/.test(etag);
  if (size === 0 || !isStrong || isEncoded(response)) return undefined;
  return { from: size, etag, path: new URL(response.url).pathname };
}

/**
 * Returns whether the connection broke, as opposed to a failure in the caller's code or on the
 * disk.
 */
function isBroken({ body }: Part, error: unknown): boolean {
  if (error !== body.errored) return false;
  if (error instanceof ResponseBodyError) return error.reason === 'truncated';
  return error instanceof ConnectionError || error instanceof TimeoutError;
}

function createTruncatedError(
  part: Part,
  { status }: ResponseInfo,
  what: string,
): ResponseBodyError {
  const request = part.request();
  return new ResponseBodyError(formatMessage(request, `the body was truncated: ${what}`), {
    request,
    reason: 'truncated',
    status,
    mayHaveActed: false,
  });
}

/**
 * A file that has a temporary name in the destination folder until it is complete. An existing file
 * stays in place until then.
 */
class PartialFile {
  /** Final file path. */
  readonly path: string;
  /** Number of bytes written so far. */
  size = 0;
  readonly #part: string;
  readonly #file: FileHandle;
  readonly #mode: number | undefined;

  private constructor({ path, mode }: Destination, part: string, file: FileHandle) {
    this.path = path;
    this.#mode = mode;
    this.#part = part;
    this.#file = file;
  }

  static async open(to: DownloadOptions<unknown>['to']): Promise<PartialFile> {
    if ((typeof to !== 'string' || to === '') && !(to instanceof URL)) {
      throw createInputError('to', `must be a path or a file: URL (got ${describeKind(to)})`);
    }
    return await wrapWriteErrors(async () => {
      const place = await resolveDestination(to instanceof URL ? fileURLToPath(to) : to);
      // Use a short name, because the final name may already have the maximum length.
      const part = join(dirname(place.path), `.triforge-${randomBytes(6).toString('hex')}.part`);
      // The temporary file gets the replaced file's permissions, because that file may be private.
      // In append mode, writes continue at the new end after a truncation.
      return new PartialFile(place, part, await open(part, 'ax', place.mode));
    });
  }

  /**
   * Appends a response's body.
   * @param total size of the whole file. Undefined if unknown.
   */
  async receive(
    part: Part,
    response: ResponseInfo,
    total: number | undefined,
    onProgress: DownloadOptions<unknown>['onProgress'],
  ): Promise<void> {
    const { body } = part;
    try {
      for await (const chunk of body) {
        await this.#append(chunk);
        if (total !== undefined && this.size > total) break;
        const returned: unknown = onProgress?.({ received: this.size, total });
        catchRejection(returned, (reason) => body.destroy(asError(reason)));
      }
    } finally {
      // The loop stops as soon as the stream fails, even if the buffer contains bytes that arrived
      // earlier.
      for (let rest = body.read(); rest !== null; rest = body.read()) await this.#append(rest);
    }
    if (total === undefined || this.size === total) return;
    const received = this.size > total ? 'more than' : `${this.size} of`;
    const what = `received ${received} ${formatCount(total, 'byte')}`;
    throw createTruncatedError(part, response, what);
  }

  /**
   * Prepares for a second response: keeps the content if the response contains the requested rest,
   * and otherwise removes it.
   * @param firstLength size of the file in the first response. Undefined if unknown.
   * @returns the size of the whole file. Undefined if unknown.
   */
  async seek(
    { data, response }: WithResponse<Part>,
    rest: Rest | undefined,
    firstLength: number | undefined,
  ): Promise<number | undefined> {
    const { etag, 'content-range': range = '' } = response.headers;
    if (response.status !== 206) {
      await wrapWriteErrors(() => this.#file.truncate());
      this.size = 0;
      // Some servers send only the rest of the file with status 200, so a file with the same `ETag`
      // must have the same length.
      return (etag === rest?.etag ? firstLength : undefined) ?? readLength(response);
    }
    const [from, last, size] =
      /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(range.trim())?.slice(1).map(Number) ?? [];
    // A 206 must have the ETag that a 200 would have (RFC 9110 section 15.3.7). A redirect may lead
    // to a different file, and an ETag identifies content only within one URL.
    const isSame = etag === rest?.etag && size === (firstLength ?? size) && !isEncoded(response);
    if (
      isSame &&
      new URL(response.url).pathname === rest?.path &&
      from === rest?.from &&
      size !== undefined &&
      last === size - 1
    )
      return size;
    data.body.destroy();
    const what = `the server sent a different range (Content-Range: ${range}, ETag: ${etag})`;
    throw createTruncatedError(data, response, what);
  }

  /** Renames the complete file to its final path once its content is on disk. */
  async commit(): Promise<void> {
    await wrapWriteErrors(async () => {
      // The umask may have removed some permissions when the temporary file was created.
      if (this.#mode !== undefined) await this.#file.chmod(this.#mode);
      // FileHandle.sync() doesn't exist under Yarn's Plug'n'Play.
      await flush(this.#file.fd);
      await this.#file.close();
      await rename(this.#part, this.path);
    });
  }

  /** Deletes the temporary file. Never rejects, because the original failure matters more. */
  async discard(): Promise<void> {
    await Promise.allSettled([this.#file.close()]);
    await Promise.allSettled([rm(this.#part)]);
  }

  async #append(chunk: Uint8Array): Promise<void> {
    await wrapWriteErrors(() => this.#file.writeFile(chunk));
    this.size += chunk.length;
  }
}

interface Destination {
  readonly path: string;
  /**
   * Permissions of the existing file, without the set-user-ID and set-group-ID bits, which new
   * content must not inherit. Undefined if there is no file.
   */
  readonly mode: number | undefined;
}

/**
 * Resolves symlinks and rejects folders and devices, because the final rename would replace them.
 */
async function resolveDestination(path: string): Promise<Destination> {
  if (path.endsWith('/') || path.endsWith(sep)) throw new Error(`${path} is a folder`);
  const real = await realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (real === undefined) {
    return { path: join(await realpath(dirname(path)), basename(path)), mode: undefined };
  }
  const former = await stat(real);
  if (!former.isFile()) throw new Error(`${real} is not a file`);
  return { path: real, mode: former.mode & 0o777 };
}

async function wrapWriteErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    throw new InvalidRequestError(`to: the file cannot be written: ${errorMessage(cause)}`, {
      field: 'to',
      cause,
    });
  }
}
