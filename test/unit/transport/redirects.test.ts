import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { RedirectError } from '../../../src/errors.js';
import {
  judgeRedirect,
  RedirectMemory,
  type RedirectState,
} from '../../../src/transport/redirects.js';
import type { RequestSpec, Target } from '../../../src/transport/request-spec.js';

const at = (path: string, origin = 'https://a.example'): Target => ({ origin, path });

const spec: RequestSpec = {
  operation: 'op',
  method: 'GET',
  target: at('/first'),
  accept: '*/*',
  headers: [],
  body: undefined,
  secrets: [],
  auth: undefined,
  replayable: false,
  uncounted: false,
};

function judge(status: number, location: string | undefined, state: Partial<RedirectState> = {}) {
  return judgeRedirect(
    { failed: false, status, statusText: '', headers: { location }, body: Buffer.alloc(0) },
    {
      spec,
      target: at('/a'),
      method: 'GET',
      body: undefined,
      visited: new Set(['GET https://a.example/a']),
      maxRedirects: 10,
      isTrusted: (origin) => origin === 'https://a.example',
      credentialNames: new Set(['access_token']),
      secrets: [],
      ...state,
    },
  );
}

function refusal(...input: Parameters<typeof judge>): RedirectError {
  try {
    judge(...input);
  } catch (error) {
    if (error instanceof RedirectError) return error;
    throw error;
  }
  throw new Error(`a redirect to ${input[1]} was followed`);
}

const form = { kind: 'form', text: 'a=1' } as const;
const stream = (replayable: boolean) => ({
  kind: 'stream' as const,
  replayable,
  open: async () => ({ stream: Readable.from([]), contentType: 'text/plain', length: 0 }),
});
const posting = { spec: { ...spec, method: 'POST' }, method: 'POST' } as const;

describe('a redirect that is not followed says why, and where it was met', () => {
  const refusals: readonly [
    string,
    number,
    string | undefined,
    Partial<RedirectState>,
    string,
    string,
  ][] = [
    [
      'no Location',
      302,
      undefined,
      {},
      'bad_location',
      '302 to nowhere was not followed: its Location is missing or no URL [GET https://a.example/a]',
    ],
    [
      'no URL',
      302,
      'https://',
      {},
      'bad_location',
      '302 to https:// was not followed: its Location is missing or no URL [GET https://a.example/a]',
    ],
    [
      'another scheme',
      307,
      'ftp://a.example/x',
      {},
      'bad_location',
      '307 to ftp://a.example/x was not followed: it is neither http nor https [GET https://a.example/a]',
    ],
    [
      'a downgrade',
      301,
      'http://a.example/x',
      {},
      'insecure',
      '301 to http://a.example/x was not followed: it goes from https down to http [GET https://a.example/a]',
    ],
    [
      'a body for strangers',
      308,
      'https://e.example/x',
      { ...posting, body: form },
      'cross_origin_body',
      '308 to https://e.example/x was not followed: a body is never sent to another origin [POST https://a.example/a]',
    ],
    [
      'a body that is gone',
      307,
      '/x',
      { ...posting, body: stream(false) },
      'not_replayable',
      '307 to /x was not followed: its body is a stream that can be read only once [POST https://a.example/a]',
    ],
    [
      'a loop',
      302,
      '/a',
      {},
      'loop',
      '302 to /a was not followed: it goes round in a loop [GET https://a.example/a]',
    ],
    [
      'one too many',
      302,
      '/x',
      { maxRedirects: 0 },
      'too_many',
      '302 to /x was not followed: more than 0 redirects [GET https://a.example/a]',
    ],
  ];
  it.each(refusals)('%s', (_name, status, location, state, reason, message) => {
    const error = refusal(status, location, state);
    expect(error.message).toBe(`op: ${message}`);
    expect(error).toMatchObject({ code: 'redirect', reason, location, mayHaveActed: false });
    expect(error.request).toEqual({
      operation: 'op',
      method: state.spec?.method ?? 'GET',
      url: 'https://a.example/a',
    });
  });

  it('a plain http origin may point to plain http', () => {
    const target = at('/a', 'http://a.example');
    expect(judge(302, '/x', { target }).target).toEqual(at('/x', 'http://a.example'));
  });
});

describe('a refused redirect may have been executed', () => {
  it.each([
    ['HEAD', 303, false],
    ['GET', 303, false],
    ['DELETE', 303, true],
    ['DELETE', 307, false],
  ] as const)('%s, answered with %i: %s', (method, status, acted) => {
    const state = { spec: { ...spec, method }, method };
    expect(refusal(status, undefined, state).mayHaveActed).toBe(acted);
  });
});

describe('the number of redirects', () => {
  const visited = (count: number) =>
    new Set(Array.from({ length: count }, (_, index) => `GET https://a.example/${index}`));

  it('may reach its limit, and not pass it', () => {
    const last = judge(302, '/x', { visited: visited(2), maxRedirects: 2 });
    expect(last).toEqual({ target: at('/x'), method: 'GET', body: undefined, permanent: false });
    const error = refusal(302, '/x', { visited: visited(3), maxRedirects: 2 });
    expect(error.reason).toBe('too_many');
    expect(error.message).toBe(
      'op: 302 to /x was not followed: more than 2 redirects [GET https://a.example/a]',
    );
  });
});

describe('a body that is redirected', () => {
  it('stays with the origin it was meant for, trusted or not', () => {
    const hop = judge(307, '/x', { ...posting, body: form, isTrusted: () => false });
    expect(hop).toEqual({ target: at('/x'), method: 'POST', body: form, permanent: false });
  });

  it('is opened anew where it can be', () => {
    const body = stream(true);
    expect(judge(308, '/x', { ...posting, body })).toEqual({
      target: at('/x'),
      method: 'POST',
      body,
      permanent: true,
    });
  });

  it('is left behind by a 303, even one that could be read only once', () => {
    const hop = judge(303, 'https://e.example/x', { ...posting, body: stream(false) });
    expect(hop).toEqual({
      target: at('/x', 'https://e.example'),
      method: 'GET',
      body: undefined,
      permanent: false,
    });
  });

  it('never was there for HEAD, which stays HEAD', () => {
    const head = { spec: { ...spec, method: 'HEAD' }, method: 'HEAD' } as const;
    expect(judge(303, '/x', head).method).toBe('HEAD');
  });
});

describe('the memory of permanent redirects', () => {
  it('takes five steps at once and leaves the rest to the server', () => {
    const memory = new RedirectMemory();
    for (let step = 0; step < 8; step++) memory.remember(at(`/${step}`), at(`/${step + 1}`));
    expect(memory.resolve(at('/0'))).toEqual(at('/5'));
    expect(memory.resolve(at('/4'))).toEqual(at('/8'));
  });

  it('holds as many as it may, and one anew is not one more', () => {
    const memory = new RedirectMemory(2);
    memory.remember(at('/1'), at('/old'));
    memory.remember(at('/2'), at('/x'));
    memory.remember(at('/1'), at('/new'));
    expect(memory.size).toBe(2);
    expect(memory.resolve(at('/1'))).toEqual(at('/new'));
    expect(memory.resolve(at('/2'))).toEqual(at('/x'));
  });
});
