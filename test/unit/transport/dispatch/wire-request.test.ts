import { describe, expect, it } from 'vitest';
import { buildWireRequest, type Step } from '../../../../src/transport/dispatch/wire-request.js';
import { type RequestSpec, targetOf } from '../../../../src/transport/request/request-spec.js';
import { spec as kept } from '../policy/cached-spec.js';

describe('what goes out', () => {
  const spec: RequestSpec = {
    ...kept,
    method: 'PUT',
    target: { origin: 'https://a.example', path: '/api/v3/r/o/c/a/b' },
    headers: [],
    body: { kind: 'text', text: '{}', contentType: 'application/json; charset=utf-8' },
  };
  const step = (more: Partial<Step> = {}): Step => ({
    spec,
    target: spec.target,
    method: spec.method,
    body: spec.body,
    credentials: undefined,
    foreign: false,
    userAgent: 'triforge/x',
    ...more,
  });
  const fields = (headers: readonly string[]) =>
    headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  const credentials = {
    headers: { authorization: 'x' },
    parameters: 'a=1',
    parametersIn: 'form_or_query',
    secrets: [],
    fingerprint: '',
  } as const;

  it('always has a User-Agent, and says what it accepts', () => {
    expect(fields(buildWireRequest(step()).headers)).toEqual([
      'user-agent: triforge/x',
      'accept-encoding: gzip, deflate, br',
      'accept: application/json',
      'content-type: application/json; charset=utf-8',
    ]);
  });

  it("takes the caller's own fields in their place", () => {
    const headers = [
      ['accept', 'a/b'],
      ['user-agent', 'me'],
      ['accept-encoding', 'identity'],
      ['content-type', 'c/d'],
      ['x-e', 'content-type'],
    ] as const;
    expect(fields(buildWireRequest(step({ spec: { ...spec, headers } })).headers)).toEqual([
      'user-agent: me',
      'accept-encoding: identity',
      'accept: a/b',
      'content-type: c/d',
      'x-e: content-type',
    ]);
    const other = fields(
      buildWireRequest(step({ spec: { ...spec, headers: [['x-e', 'f']] } })).headers,
    );
    expect(other).toEqual(expect.arrayContaining(['x-e: f', 'accept: application/json']));
    const valued = { ...spec, headers: [['x-e', 'content-type']] as const };
    expect(fields(buildWireRequest(step({ spec: valued })).headers)).toContain(
      'content-type: application/json; charset=utf-8',
    );
  });

  it('carries the header fields of the credentials, and none without', () => {
    expect(fields(buildWireRequest(step({ credentials })).headers)).toContain('authorization: x');
    expect(fields(buildWireRequest(step()).headers).join('\n')).not.toContain('authorization');
  });

  it('names the type of a form; a stream names its own when it is opened', () => {
    const form = buildWireRequest(step({ body: { kind: 'form', text: 'b=2' } }));
    expect(fields(form.headers)).toContain('content-type: application/x-www-form-urlencoded');
    const opened = { kind: 'stream', replayable: false, open: () => Promise.reject() } as const;
    const typed = { ...opened, contentType: 'a/b' };
    const names = buildWireRequest(step({ body: typed })).headers;
    expect(names).not.toContain('content-type');
  });

  it('carries no parameters where the credentials have none', () => {
    const none = { ...credentials, parameters: '' };
    const form = { kind: 'form', text: 'b=2' } as const;
    const sent = buildWireRequest(step({ credentials: none, body: form }));
    expect([sent.path, sent.body]).toEqual(['/api/v3/r/o/c/a/b', form]);
  });

  it('carries parameters in the query where there is no body', () => {
    const bare = buildWireRequest(step({ credentials, body: undefined }));
    expect([bare.path, bare.body]).toEqual(['/api/v3/r/o/c/a/b?a=1', undefined]);
  });

  it('carries parameters in the query, or in a form', () => {
    expect(buildWireRequest(step({ credentials })).path).toBe('/api/v3/r/o/c/a/b?a=1');
    const target = targetOf(new URL('https://a.example/x?y=1'));
    expect(buildWireRequest(step({ credentials, target })).path).toBe('/x?y=1&a=1');
    const text = buildWireRequest(step({ credentials, body: { kind: 'form', text: 'b=2' } }));
    expect([text.path, text.body]).toEqual([
      '/api/v3/r/o/c/a/b',
      { kind: 'form', text: 'b=2&a=1' },
    ]);
    const empty = buildWireRequest(step({ credentials, body: { kind: 'form', text: '' } }));
    expect(empty.body).toEqual({ kind: 'form', text: 'a=1' });
    const query = { ...credentials, parametersIn: 'query' } as const;
    expect(
      buildWireRequest(step({ credentials: query, body: { kind: 'form', text: '' } })).path,
    ).toContain('?a=1');
  });

  it('takes only harmless fields of the caller to a foreign origin', () => {
    const headers = [
      ['x-private', 'mine'],
      ['authorization', 'mine'],
      ['cookie', 'mine'],
      ['user-agent', 'mine'],
      ['accept', 'a/b'],
      ['range', 'bytes=0-1'],
    ] as const;
    const foreign = buildWireRequest(
      step({ spec: { ...spec, headers }, foreign: true, body: undefined }),
    );
    expect(fields(foreign.headers)).toEqual([
      'user-agent: triforge/x',
      'accept-encoding: gzip, deflate, br',
      'accept: a/b',
      'range: bytes=0-1',
    ]);
  });
});
