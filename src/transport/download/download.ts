import type { Readable } from 'node:stream';
import { type ApiClient, answerOf } from '../api-client.js';
import type { Endpoint } from '../request/endpoint.js';
import { type Call, callOf } from '../response/answer-info.js';
import { type DownloadOf, type DownloadOptions, downloadNames, inForm } from './forms.js';

/** Calls an endpoint that answers bytes, and gives them in the form that the options say. */
export function download<
  Auth,
  Input extends object,
  Options extends DownloadOptions<Auth> = DownloadOptions<Auth>,
>(
  api: ApiClient<Auth>,
  endpoint: Endpoint<Input, Readable>,
  input: Input,
  options: Options | undefined,
): Call<DownloadOf<Options>> {
  const given: DownloadOptions<Auth> = options ?? {};
  const { to } = given;
  // `as`: the options decide alike of the form and of its type.
  if (to === undefined) {
    const answer = () => inForm(answerOf(endpoint, input), given);
    return api.call({ ...endpoint, answer }, input, options, downloadNames) as Call<
      DownloadOf<Options>
    >;
  }
  // What writes files is loaded by who downloads to one.
  // In flight from now on: a client that is closed meanwhile lets it finish.
  const written = api.transport.inFlight.asOneCall([], false, async ({ interruption }) => {
    const { toFile } = await import('./to-file.js');
    return await toFile(api, endpoint, input, to, given, interruption === undefined);
  });
  return callOf(written) as Call<DownloadOf<Options>>;
}
