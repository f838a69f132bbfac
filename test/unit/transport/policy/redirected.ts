import { Readable } from 'node:stream';
import {
  type RedirectState,
  resolveRedirect,
} from '../../../../src/transport/policy/resolve-redirect.js';
import type { RequestSpec, Target } from '../../../../src/transport/request/request-spec.js';
import { spec as kept } from './cached-spec.js';

/** A place, of the origin of the client unless said otherwise. */
export const at = (path: string, origin = 'https://a.example'): Target => ({ origin, path });

/** The request that was redirected, more than once by now. */
export const spec: RequestSpec = { ...kept, operation: 'op', target: at('/first') };

/** What becomes of a redirect from /a, of a client that trusts its own origin and t.example. */
export function judge(
  status: number,
  location: string | undefined,
  state: Partial<RedirectState> = {},
): ReturnType<typeof resolveRedirect> {
  return resolveRedirect(
    { failed: false, status, statusText: '', headers: { location }, body: Buffer.alloc(0) },
    {
      spec,
      target: at('/a'),
      method: 'GET',
      body: undefined,
      trusted: true,
      visited: new Set(['GET https://a.example/a']),
      maxRedirects: 10,
      isTrusted: (origin) => origin === 'https://a.example' || origin === 'https://t.example',
      credentialParameters: new Set(['access_token']),
      secrets: ['s3cret+/='],
      mayHaveActed: false,
      ...state,
    },
  );
}

/** A body of a form. */
export const form = { kind: 'form', text: 'a=1' } as const;

/** A body of a stream, which can be read once or as often as wanted. */
export const stream = (replayable: boolean) => ({
  kind: 'stream' as const,
  replayable,
  open: async () => ({ stream: Readable.from([]), contentType: 'text/plain', length: 0 }),
});

/** A POST that was redirected. */
export const posting = {
  spec: { ...spec, method: 'POST', retry: 'refused' },
  method: 'POST',
} as const;
