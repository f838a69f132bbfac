import { describe, expect, it } from 'vitest';
import { at, form, judge, posting, spec, stream } from './redirected.js';

describe('redirects', () => {
  it.each([
    ['/x?access_token=old&a=1', at('/x?a=1')],
    ['https://t.example/x?access_token=old', at('/x', 'https://t.example')],
    ['https://u:p@a.example/x', at('/x')],
    // A foreign access_token belongs to a signed URL, so it must be kept.
    ['https://e.example/x?access_token=theirs', at('/x?access_token=theirs', 'https://e.example')],
    [['/x', '/x'], at('/x')],
    // The server sent UTF-8 bytes in the next case and Latin-1 bytes in the last case.
    ['/caf\u00c3\u00a9', at('/caf%C3%A9')],
    ['/caf\u00e9', at('/caf%C3%A9')],
  ])('resolveRedirect() resolves the Location %s to %j', (location, target) => {
    expect(judge(302, location).target).toEqual(target);
  });

  it.each([
    [true, 301, '/x'],
    [true, 308, '/x'],
    [false, 302, '/x'],
    [false, 303, '/x'],
    [false, 307, '/x'],
    [true, 301, 'https://t.example/x'],
    [false, 308, 'https://e.example/x'],
  ])('resolveRedirect() reports permanent: %s for a %i to %s', (permanent, status, location) => {
    expect(judge(status, location).permanent).toBe(permanent);
  });

  it('resolveRedirect() treats a 301 within an untrusted origin as permanent', () => {
    const target = at('/a', 'https://e.example');
    expect(judge(301, '/x', { target, trusted: false }).permanent).toBe(true);
  });

  it('resolveRedirect() follows a redirect from plain HTTP to plain HTTP', () => {
    const target = at('/a', 'http://a.example');
    expect(judge(302, '/x', { target }).target).toEqual(at('/x', 'http://a.example'));
  });
});

describe('redirects with a body', () => {
  it('resolveRedirect() keeps the request body after a 307 within an untrusted origin', () => {
    const state = { ...posting, body: form, trustedOrigins: new Set<string>(), trusted: false };
    const hop = judge(307, '/x', state);
    expect(hop).toEqual({
      target: at('/x'),
      method: 'POST',
      body: form,
      trusted: false,
      permanent: false,
    });
  });

  it('resolveRedirect() keeps the request body after a 307 to another trusted origin', () => {
    const state = { ...posting, body: form };
    expect(judge(307, 'https://t.example/x', state).body).toBe(form);
    expect(judge(303, 'https://e.example/x', state)).toMatchObject({ method: 'GET' });
  });

  it('resolveRedirect() keeps a replayable stream after a 308', () => {
    const body = stream(true);
    expect(judge(308, '/x', { ...posting, body })).toEqual({
      target: at('/x'),
      method: 'POST',
      body,
      trusted: true,
      permanent: true,
    });
  });

  it('resolveRedirect() drops the request body after a 303', () => {
    const hop = judge(303, 'https://e.example/x', { ...posting, body: stream(false) });
    expect(hop).toEqual({
      target: at('/x', 'https://e.example'),
      method: 'GET',
      body: undefined,
      trusted: false,
      permanent: false,
    });
  });

  it('resolveRedirect() keeps the method HEAD after a 303', () => {
    const head = { spec: { ...spec, method: 'HEAD' }, method: 'HEAD' } as const;
    expect(judge(303, '/x', head)).toMatchObject({ method: 'HEAD', body: undefined });
  });
});
