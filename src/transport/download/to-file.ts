import type { Readable } from 'node:stream';
import { InvalidRequestError } from '../../errors/index.js';
import { copyOptions, forOneCall } from '../../option-names.js';
import { type ApiClient, resolveResponseSpec } from '../api-client.js';
import { checkSignal } from '../call-settings.js';
import { resolveRetry } from '../options.js';
import type { Endpoint, ResponseSpec } from '../request/endpoint.js';
import { checkHeaders } from '../request/fields.js';
import type { WithResponse } from '../response/response-details.js';
import { type DownloadedFile, type DownloadOptions, downloadNames } from './forms.js';
import { type Rest, rangeFields } from './ranges.js';
import { type Part, save } from './save.js';

/**
 * Calls an endpoint whose response is bytes, and writes them to a file.
 * @param isPart whether the client was open when the download was called.
 * @throws {InvalidRequestError} if an option can't be combined with `to`.
 */
export async function toFile<Auth, Input extends object>(
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
    throw new InvalidRequestError('as: cannot be combined with to. Use one of them.', {
      field: 'as',
    });
  }
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw new InvalidRequestError('onProgress: expected a function', { field: 'onProgress' });
  }
  const headers = checkHeaders(options.headers ?? {});
  for (const [name] of headers) {
    if (name !== 'range' && name !== 'if-range') continue;
    const field = `headers.${name}`;
    throw new InvalidRequestError(
      `${field}: cannot be combined with to, which downloads the whole file`,
      { field },
    );
  }
  const ask = (rest: Rest | undefined, limit: number) => {
    const definition = {
      ...endpoint,
      isPart,
      answer: partialResponse(resolveResponseSpec(endpoint, input), rest),
    };
    const ranges = rangeFields(rest);
    const own = { ...options, retry: { ...retry, limit }, headers: [...ranges, ...headers] };
    return api.call(definition, input, own, downloadNames);
  };
  const { random } = settings;
  const { inFlight } = api.transport;
  return await inFlight.asOneCall(signal ? [checkSignal(signal)] : [], isPart, (deadline) =>
    save({
      to,
      onProgress,
      sleep: (ms) => deadline.sleep(ms),
      isInterrupted: () => deadline.interruption !== undefined,
      retry,
      random,
      ask,
    }),
  );
}

/** Reads a part of the file. Only 200 and 203 contain the whole file (RFC 9110 section 15.3). */
function partialResponse(
  answer: ResponseSpec<Readable>,
  rest: Rest | undefined,
): ResponseSpec<Part> {
  return {
    ...answer,
    refuses: (type, response) => {
      const { status } = response;
      const brings = status === 200 || status === 203 || (status === 206 && rest !== undefined);
      return brings ? answer.refuses?.(type, response) : 'expected a complete file';
    },
    // `as`: the transport hands out a Readable for this kind.
    map: (value, _response, call) => ({ body: value as Readable, request: call.request }),
  };
}
