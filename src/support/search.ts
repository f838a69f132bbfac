import type { Endpoint } from '../transport/endpoint.js';
import { type OffsetSlice, offsetFetcher } from '../transport/offset-pages.js';
import { checkHeaders } from '../transport/options.js';
import type { Paginated } from '../transport/paginated.js';
import { buildRequest } from '../transport/request-spec.js';
import type { SearchInput, SupportCaller, SupportSearchOptions } from './caller.js';

/** A search as a list: pages by `count` and `index`, behind the same interface as `Link` headers. */
export function search<Input extends SearchInput, T>(
  caller: SupportCaller,
  endpoint: Endpoint<Input, OffsetSlice<T>>,
  input: Input,
  options: SupportSearchOptions | undefined,
): Paginated<T> {
  const { answer } = endpoint;
  return caller.pages(
    () =>
      offsetFetcher<T>(
        input.index ?? 0,
        (index) => {
          const { base, media, accept } = caller.transport.settings;
          const headers = checkHeaders(options?.headers);
          // The first page of an unset index sends none: what is unset is not sent.
          const at = index === 0 && input.index === undefined ? input : { ...input, index };
          return buildRequest(endpoint, at, { base, media, accept, headers });
        },
        (spec, signal, holder) =>
          caller.run(spec, typeof answer === 'function' ? answer(input) : answer, options, holder, {
            signal,
          }),
      ),
    options,
  );
}
