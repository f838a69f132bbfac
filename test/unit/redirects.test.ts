import { describe, expect, it } from 'vitest';
import {
  judgeRedirect,
  RedirectMemory,
  type RedirectState,
} from '../../src/transport/redirects.js';
import type { RequestSpec, Target } from '../../src/transport/request-spec.js';

const at = (path: string, origin = 'https://a.example'): Target => ({ origin, path });

describe('the memory of permanent redirects', () => {
  it('resolves over several steps', () => {
    const memory = new RedirectMemory();
    memory.remember(at('/1'), at('/2'));
    memory.remember(at('/2'), at('/3'));
    expect(memory.resolve(at('/1'))).toEqual(at('/3'));
    expect(memory.resolve(at('/x'))).toEqual(at('/x'));
  });

  it('ends in a circle', () => {
    const memory = new RedirectMemory();
    memory.remember(at('/1'), at('/2'));
    memory.remember(at('/2'), at('/1'));
    expect(['/1', '/2']).toContain(memory.resolve(at('/1')).path);
  });

  it('forgets what was not used for longest', () => {
    const memory = new RedirectMemory(3);
    for (const path of ['/1', '/2', '/3']) memory.remember(at(path), at(`${path}!`));
    memory.resolve(at('/1'));
    memory.remember(at('/4'), at('/4!'));
    expect(memory.size).toBe(3);
    const known = ['/1', '/2', '/3', '/4'].filter((path) => memory.resolve(at(path)).path !== path);
    expect(known).toEqual(['/1', '/3', '/4']);
  });
});

const spec: RequestSpec = {
  operation: 'x',
  method: 'GET',
  target: at('/a'),
  accept: '*/*',
  headers: [],
  body: undefined,
  secrets: [],
  auth: undefined,
  replayable: false,
  uncounted: false,
};

function judge(status: number, location: string, state: Partial<RedirectState> = {}) {
  return judgeRedirect(
    { failed: false, status, statusText: '', headers: { location }, body: Buffer.alloc(0) },
    {
      spec,
      target: spec.target,
      method: 'GET',
      body: undefined,
      visited: new Set(['GET https://a.example/a']),
      maxRedirects: 10,
      isTrusted: (origin) => origin === 'https://a.example' || origin === 'https://t.example',
      credentialNames: new Set(['access_token']),
      secrets: ['s3cret+/='],
      ...state,
    },
  );
}

describe('a Location', () => {
  it.each([
    ['http://a.example/x', 'insecure'],
    ['http://t.example/x', 'insecure'],
    ['//a.example/a', 'loop'],
    ['/a#fragment', 'loop'],
    ['javascript:alert(1)', 'bad_location'],
    ['https://', 'bad_location'],
  ])('%s is refused', (location, reason) => {
    expect(() => judge(302, location)).toThrow(expect.objectContaining({ reason }));
  });

  it.each([
    ['/x?access_token=old&a=1', at('/x?a=1')],
    ['https://t.example/x?access_token=old', at('/x', 'https://t.example')],
    ['https://u:p@a.example/x', at('/x')],
    ['https://e.example/x?k=s3cret%2B%2F%3D&a=1', at('/x?a=1', 'https://e.example')],
    // What is not ours belongs to a signed URL: it must stay.
    ['https://e.example/x?access_token=theirs', at('/x?access_token=theirs', 'https://e.example')],
  ])('%s is stripped of credentials', (location, target) => {
    expect(judge(302, location).target).toEqual(target);
  });

  it.each([
    [301, '/x', true],
    [308, '/x', true],
    [302, '/x', false],
    [303, '/x', false],
    [307, '/x', false],
    [301, 'https://t.example/x', false],
    [308, 'https://e.example/x', false],
  ])('of %i to %s: remembered is %s', (status, location, permanent) => {
    expect(judge(status, location).permanent).toBe(permanent);
  });

  it('gets a body on a trusted origin only', () => {
    const body = { kind: 'form', text: 'a=1' } as const;
    const state = { method: 'POST', body } as const;
    expect(judge(307, 'https://t.example/x', state).body).toBe(body);
    expect(() => judge(307, 'https://e.example/x', state)).toThrow(
      expect.objectContaining({ reason: 'cross_origin_body' }),
    );
    expect(judge(303, 'https://e.example/x', state)).toMatchObject({ method: 'GET' });
  });

  it('is shown without its secrets', () => {
    const location = 'http://jo:p@ss@a.example/x?sig=abc&page=2&bare#f';
    expect(() => judge(302, location)).toThrow(
      expect.objectContaining({
        location: 'http://a.example/x?sig=***&page=2&***',
        message: expect.not.stringContaining('ss@'),
      }),
    );
  });
});

describe('a redirect that is refused says whether the request was executed', () => {
  it.each([
    ['POST', 'POST', 303, true],
    ['POST', 'GET', 302, true],
    ['POST', 'POST', 302, false],
    ['GET', 'GET', 303, false],
  ] as const)('%s, by now %s, and %i: %s', (method, now, status, mayHaveActed) => {
    const state = { spec: { ...spec, method }, method: now };
    expect(() => judge(status, 'https://', state)).toThrow(
      expect.objectContaining({ code: 'redirect', mayHaveActed }),
    );
  });
});
