import type { Readable } from 'node:stream';
import { type ApiClient, type Call, createCall } from '../api-client.js';
import type { Endpoint } from '../request/endpoint.js';
import { resolveResponseSpec } from '../request/endpoint.js';
import { nameOperation } from '../request/input.js';
import {
  createFormSpec,
  type DownloadOptions,
  type DownloadResult,
  downloadNames,
} from './forms.js';

/**
 * Calls an endpoint that responds with bytes, and resolves to a file, a stream or bytes, depending
 * on the options.
 */
export function download<Auth, Input extends object>(
  api: ApiClient<Auth>,
  endpoint: Endpoint<Input, Readable>,
  input: Input,
  options: DownloadOptions<Auth> = {},
): Call<DownloadResult> {
  // JavaScript callers may pass null, which `api.call` rejects.
  const to = options?.to;
  if (to === undefined) {
    const response = () => createFormSpec(resolveResponseSpec(endpoint, input), options);
    return api.call({ ...endpoint, response }, input, options, downloadNames);
  }
  // The code that writes files is loaded on demand. Track the call first, so that it can finish if
  // the client is closed during the import.
  const written = api.transport.inFlight.runAsOneCall([], false, async ({ interruption }) => {
    try {
      const { downloadToFile: toFile } = await import('./to-file.js');
      return await toFile(api, endpoint, input, to, options, interruption === undefined);
    } catch (error) {
      throw nameOperation(error, endpoint.operation);
    }
  });
  return createCall(written);
}
