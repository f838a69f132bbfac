import type { Readable } from 'node:stream';
import {
  ConnectionError,
  isApiError,
  isTriforgeError,
  ResponseBodyError,
  TimeoutError,
} from '../../errors/index.js';
import { captureStack } from '../../errors/triforge-error.js';
import { copyOptions, forOneCall } from '../../option-names.js';
import type { RequestInfo } from '../../response-info.js';
import { describeKind, formatCount } from '../../schema/unknown-values.js';
import type { ApiClient, Call } from '../api-client.js';
import { computeBackoff, type RetrySettings } from '../decisions/retry-decision.js';
import { checkSignal, resolveRetry } from '../options.js';
import type { Endpoint, ResponseSpec } from '../request/endpoint.js';
import { resolveResponseSpec } from '../request/endpoint.js';
import { catchRejection } from '../request/event-loop.js';
import { checkHeaders } from '../request/fields.js';
import { createInputError } from '../request/input.js';
import { formatMessage } from '../response/failure.js';
import type { WithResponse } from '../response/response-details.js';
import { type DownloadedFile, type DownloadOptions, downloadNames } from './forms.js';
import { PartialFile } from './partial-file.js';
import {
  type CompleteFile,
  checkRange,
  createRangeHeaders,
  describeFile,
  detectPart,
  type FileRange,
} from './ranges.js';

interface DownloadPart {
  readonly body: Readable;
  /** Describes the request for this part, for errors. */
  readonly request: () => RequestInfo;
}

interface SaveOptions {
  readonly to: string | URL;
  readonly onProgress: DownloadOptions<unknown>['onProgress'];
  /** Waits `ms` milliseconds, or until the download is aborted or the client is closed. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Whether the download was aborted or its client was closed. */
  readonly isInterrupted: () => boolean;
  readonly retry: RetrySettings;
  readonly random: () => number;
  /** Requests the rest of the file, or the whole file, with at most `limit` retries. */
  readonly request: (rest: FileRange | undefined, limit: number) => Call<DownloadPart>;
}

/**
 * Calls an endpoint that responds with bytes, and writes them to a file.
 * @param isPart whether the client was open when the download started. If so, later requests of the
 * download can start while the client is closing.
 * @throws {InvalidRequestError} if an option can't be combined with `to`.
 */
export async function downloadToFile<Auth, Input extends object>(
  api: ApiClient<Auth>,
  endpoint: Endpoint<Input, Readable>,
  input: Input,
  to: string | URL,
  given: DownloadOptions<Auth>,
  isPart: boolean,
): Promise<WithResponse<DownloadedFile>> {
  const options = forOneCall(() => copyOptions(given, downloadNames));
  const { onProgress, signal } = options;
  const { settings } = api.transport;
  const retry = forOneCall(() => resolveRetry(options.retry, settings.retry));
  if (options.as !== undefined) {
    throw createInputError(
      'as',
      "must not be combined with the option 'to'. Use only one of them.",
    );
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw createInputError('onProgress', `must be a function (got ${describeKind(onProgress)})`);
  }
  const headers = checkHeaders(options.headers ?? {});
  for (const [name] of headers) {
    if (name !== 'range' && name !== 'if-range') continue;
    const field = `headers.${name}`;
    throw createInputError(
      field,
      "must not be combined with the option 'to', which downloads the whole file",
    );
  }
  const request = (rest: FileRange | undefined, limit: number) => {
    const definition = {
      ...endpoint,
      isPart,
      response: createPartSpec(resolveResponseSpec(endpoint, input), rest),
    };
    const ranges = createRangeHeaders(rest);
    const own = { ...options, retry: { ...retry, limit }, headers: [...ranges, ...headers] };
    return api.call(definition, input, own, downloadNames);
  };
  const { random } = settings;
  const { inFlight } = api.transport;
  return await inFlight.runAsOneCall(signal ? [checkSignal(signal)] : [], isPart, (deadline) =>
    save({
      to,
      onProgress,
      sleep: (ms) => deadline.sleep(ms),
      isInterrupted: () => deadline.interruption !== undefined,
      retry,
      random,
      request,
    }),
  );
}

/** Downloads to a file, which appears only when it is complete (see {@link DownloadOptions.to}). */
async function save(saving: SaveOptions): Promise<WithResponse<DownloadedFile>> {
  const file = await PartialFile.open(saving.to);
  try {
    const { response } = await new FileDownload(file, saving).run();
    await file.commit(saving.isInterrupted);
    return { data: { path: file.path, size: file.size }, response };
  } catch (error) {
    const isInterrupted = saving.isInterrupted();
    await file.discard();
    // This call sends nothing and rejects with the abort reason. `error` might not contain the
    // reason, because a stream can't fail with `null`.
    if (isInterrupted) await saving.request(undefined, 0);
    throw error;
  }
}

/**
 * Sends requests until a file is complete. Requests only the rest of the file if possible,
 * otherwise the whole file.
 */
class FileDownload {
  readonly #file: PartialFile;
  readonly #saving: SaveOptions;
  #whole: CompleteFile | undefined;
  /** Whether to request only the rest of the file. False after an invalid response. */
  #resumes = true;
  #failures = 0;

  constructor(file: PartialFile, saving: SaveOptions) {
    this.#file = file;
    this.#saving = saving;
  }

  async run(): Promise<CompleteFile> {
    const { retry, random, sleep, isInterrupted } = this.#saving;
    for (;;) {
      const trouble = await this.#next();
      if (trouble === undefined && this.#whole) return this.#whole;
      this.#failures++;
      if (this.#failures > retry.limit) {
        // A broken body fails in a socket callback, whose stack doesn't contain the caller.
        if (isTriforgeError(trouble) && !isInterrupted()) captureStack(trouble);
        throw trouble;
      }
      const delay = computeBackoff({ failures: this.#failures, random: random() }, retry);
      // If the download was aborted or the client was closed, the next request rejects with the
      // reason.
      await sleep(delay);
    }
  }

  /** Sends one request. Returns the problem if the file is incomplete and a retry may help. */
  async #next(): Promise<unknown> {
    const validator = this.#resumes && this.#file.size > 0 ? this.#whole?.validator : undefined;
    const rest = validator === undefined ? undefined : { from: this.#file.size, validator };
    const left = Math.max(0, this.#saving.retry.limit - this.#failures);
    try {
      const { data, response } = await this.#saving.request(rest, left).withResponse();
      this.#failures += response.attempts - 1;
      if (!rest || !this.#whole || response.status !== 206) {
        // Some servers send only part of the file with status 200.
        const part = detectPart(response, rest && this.#whole);
        if (part !== undefined) return this.#reject(data, response.status, part);
        // The response contains the whole file, because it is the first response, the file has
        // changed, or the server doesn't support ranges.
        this.#whole = describeFile(response, rest && this.#whole);
        return await this.#write(data, this.#whole, true);
      }
      const size = checkRange(response, rest, this.#whole);
      if (typeof size === 'number') {
        // Add the size, because the first response might not have contained it.
        this.#whole = { ...this.#whole, size };
        const trouble = await this.#write(data, this.#whole, false);
        // A broken partial response without a length might not start at the requested offset, so
        // drop its bytes.
        const isProven = trouble === undefined || response.headers['content-length'] !== undefined;
        if (!isProven) await this.#file.restart(rest.from);
        return trouble;
      }
      return this.#reject(data, response.status, size);
    } catch (error) {
      if (!rest || !isApiError(error) || error.status !== 416) throw error;
      this.#resumes = false;
      return error;
    }
  }

  /**
   * Rejects a response that contains a different part of the file. The next request is for the
   * whole file.
   */
  #reject(part: DownloadPart, status: number, why: string): ResponseBodyError {
    part.body.destroy();
    this.#resumes = false;
    return createTruncatedError(part, status, `the server sent a different range (${why})`);
  }

  async #write(
    part: DownloadPart,
    { size, response }: CompleteFile,
    isNew: boolean,
  ): Promise<unknown> {
    const { onProgress } = this.#saving;
    const { body } = part;
    const failed: { reason?: unknown } = {};
    try {
      if (isNew) await this.#file.restart();
      for await (const chunk of body) {
        await this.#file.append(chunk);
        if (size !== undefined && this.#file.size > size) break;
        const returned: unknown = onProgress?.({ received: this.#file.size, total: size });
        catchRejection(returned, (reason) => {
          failed.reason ??= reason;
          body.destroy();
        });
      }
    } catch (error) {
      if ('reason' in failed) throw failed.reason;
      if (error !== body.errored || !this.#isConnectionFailure(error)) throw error;
      // The loop stops as soon as the stream fails, even if the buffer contains bytes that arrived
      // earlier. Save these bytes.
      for (let rest = body.read(); rest !== null; rest = body.read()) await this.#file.append(rest);
      if (size === undefined || this.#file.size <= size) return error;
    } finally {
      body.destroy();
    }
    if ('reason' in failed) throw failed.reason;
    if (size === undefined || this.#file.size === size) return undefined;
    this.#resumes = false;
    const came = this.#file.size > size ? 'more than' : `${this.#file.size} of`;
    return createTruncatedError(
      part,
      response.status,
      `received ${came} ${formatCount(size, 'byte')}`,
    );
  }

  /**
   * Returns whether the connection caused the failure, rather than the caller's code or the disk.
   */
  #isConnectionFailure(error: unknown): boolean {
    if (error instanceof ResponseBodyError) return error.reason === 'truncated';
    return error instanceof ConnectionError || error instanceof TimeoutError;
  }
}

function createTruncatedError(part: DownloadPart, status: number, what: string): ResponseBodyError {
  const request = part.request();
  return new ResponseBodyError(formatMessage(request, `the body was truncated: ${what}`), {
    request,
    reason: 'truncated',
    status,
    mayHaveActed: false,
  });
}

/**
 * Creates the rules for reading part of the file. Only 200 and 203 contain the whole file (RFC 9110
 * section 15.3).
 */
function createPartSpec(
  spec: ResponseSpec<Readable>,
  rest: FileRange | undefined,
): ResponseSpec<DownloadPart> {
  return {
    ...spec,
    typeMismatch: (type, response) => {
      const { status } = response;
      const brings = status === 200 || status === 203 || (status === 206 && rest !== undefined);
      return brings ? spec.typeMismatch?.(type, response) : 'the body is not a complete file';
    },
    // `as`: the transport passes a Readable for this kind.
    map: (value, _response, call) => ({ body: value as Readable, request: () => call.describe() }),
  };
}
