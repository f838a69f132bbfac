import { Readable } from 'node:stream';
import {
  type RedirectState,
  resolveRedirect,
} from '../../../../src/transport/decisions/resolve-redirect.js';
import type { RequestSpec, Target } from '../../../../src/transport/request/request-spec.js';
import { spec as kept } from '../policies/cached-spec.js';

/** Creates a target, by default at the client's origin. */
export const at = (path: string, origin = 'https://a.example'): Target => ({ origin, path });

/** The original request. Earlier redirects led from /first to /a. */
export const spec: RequestSpec = { ...kept, operation: 'op', target: at('/first') };

/** Resolves a redirect from /a, for a client that trusts its own origin and t.example. */
export function judge(
  status: number,
  location: string | string[] | undefined,
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
      trustedOrigins: new Set(['https://a.example', 'https://t.example']),
      credentialParameters: new Set(['access_token']),
      hasCredentialsInUrl: false,
      secrets: ['s3cret+/='],
      mayHaveActed: false,
      ...state,
    },
  );
}

export const form = { kind: 'form', text: 'a=1' } as const;

/** Creates a stream body that can be read once, or any number of times if `replayable` is true. */
export const stream = (replayable: boolean) => ({
  kind: 'stream' as const,
  replayable,
  open: async () => ({ stream: Readable.from([]), contentType: 'text/plain', length: 0 }),
});

/** A redirected POST. */
export const posting = {
  spec: { ...spec, method: 'POST', retry: 'refused' },
  method: 'POST',
} as const;
