import type { Readable } from 'node:stream';
import { checkOptions, forOneCall } from '../../option-names.js';
import { type ApiClient, type Call, createCall } from '../api-client.js';
import { checkSignal } from '../options.js';
import { type Endpoint, resolveResponseSpec } from '../request/endpoint.js';
import { nameOperation } from '../request/input.js';
import type { WithResponse } from '../response/response-details.js';
import {
  createFormSpec,
  type Downloaded,
  type DownloadedFile,
  type DownloadOptions,
  type DownloadResult,
  downloadNames,
} from './forms.js';

/**
 * Calls an endpoint that responds with bytes, and resolves to a file, a stream or bytes, depending
 * on the options.
 */
export function download<Auth, Input extends object, Options extends DownloadOptions<Auth>>(
  api: ApiClient<Auth>,
  endpoint: Endpoint<Input, Readable>,
  input: Input,
  options: Options | undefined,
): Call<Downloaded<Options>> {
  const response = () => createFormSpec(resolveResponseSpec(endpoint, input), options ?? {});
  // JavaScript callers may pass null, which `api.call` rejects.
  const call: Call<DownloadResult> =
    options?.to === undefined
      ? api.call({ ...endpoint, response }, input, options, downloadNames)
      : createCall(saveToFile(api, endpoint, input, options));
  // `as`: the compiler can't evaluate the conditional type inside a generic function.
  return call as Call<Downloaded<Options>>;
}

async function saveToFile<Auth, Input extends object>(
  api: ApiClient<Auth>,
  endpoint: Endpoint<Input, Readable>,
  input: Input,
  given: DownloadOptions<Auth>,
): Promise<WithResponse<DownloadedFile>> {
  try {
    const options = forOneCall(() => checkOptions(given, downloadNames));
    const signals = options.signal ? [checkSignal(options.signal)] : [];
    return await api.transport.inFlight.run(signals, async (deadline) => {
      const { downloadToFile } = await import('./to-file.js');
      return await downloadToFile({ api, endpoint, input, options, deadline });
    });
  } catch (error) {
    throw nameOperation(error, endpoint.operation);
  }
}
