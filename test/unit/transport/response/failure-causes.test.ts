import { describe, expect, it } from 'vitest';
import { lost, matchMessage } from './failures.js';

describe('error causes', () => {
  const secrets = ['s3cret'];
  const failed = (fields: object) => Object.assign(new Error('gone'), fields);

  it("an error's cause is the failure itself if the failure contains no secret", () => {
    const cause = failed({ code: 'ECONNRESET', hosts: ['', 'code.example.com'] });
    expect(lost(cause, { secrets }).cause).toBe(cause);
    expect(lost(cause, { secrets: [`'"`, 's3cret'] }).cause).toBe(cause);
  });

  it("an error's cause omits the response data of the failure", () => {
    const cause = Object.assign(new SyntaxError('Expected HTTP/'), {
      code: 'HPE_INVALID_CONSTANT',
      data: 'session=1',
    });
    const kept = lost(cause).cause;
    expect(kept).not.toBe(cause);
    expect(kept).toMatchObject({
      name: 'SyntaxError',
      message: 'Expected HTTP/',
      code: 'HPE_INVALID_CONSTANT',
    });
    expect(kept).not.toHaveProperty('data');
  });

  it("an error's cause is a copy of the failure with masked secrets", () => {
    const cause = Object.assign(new TypeError('sent s3cret'), { code: 'E-s3cret' });
    const error = lost(cause, { secrets });
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      message: 'sent ***',
      code: 'E-***',
    });
    expect(error).toHaveProperty('message', matchMessage(/failed: E-\*\*\* sent \*\*\*\. .*/));
  });

  it.each([
    ['no code', {}],
    ['a numeric code', { code: 23 }],
  ])("an error's cause has no code for a failure with %s", (_title, fields) => {
    const kept = lost(failed({ ...fields, token: 's3cret' }), { secrets }).cause;
    expect(kept).toMatchObject({ name: 'Error', message: 'gone' });
    expect(kept).not.toHaveProperty('code');
    expect(kept).not.toHaveProperty('token');
  });

  const tricky = 'a\'b"c`d';
  const hidden: readonly [string, fields: object, secret: string][] = [
    ['in a field', { token: 's3cret' }, 's3cret'],
    ['nested five levels deep', { a: { b: { c: { d: { e: 's3cret' } } } } }, 's3cret'],
    ['after a hundred other list items', { list: [...Array(100).fill(0), 's3cret'] }, 's3cret'],
    ['at the end of a long string', { sent: `${'x'.repeat(10_001)} s3cret` }, 's3cret'],
    ['that contains quotes', { token: tricky }, tricky],
    ['with a quote after other quotes', { sent: `x"\`\` it's1` }, "it's1"],
    ['with a quote and a space after other quotes', { sent: `x"\`\` it's me` }, "it's me"],
    ['that is percent-encoded', { path: '/?otp=sec%22ret' }, 'sec"ret'],
  ];
  it.each(hidden)("an error's cause omits a secret %s", (_title, fields, secret) => {
    const kept = lost(failed(fields), { secrets: [secret] }).cause;
    expect(kept).toBeInstanceOf(Error);
    expect(kept).toHaveProperty('message', 'gone');
    for (const field of Object.keys(fields)) expect(kept).not.toHaveProperty(field);
  });
});

describe('connection advice', () => {
  const failed = (code: string) => Object.assign(new Error('refused'), { code });

  it.each<[string, Error, string, string]>([
    ['a server without TLS', failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'does not use TLS', 'tls:'],
    ['an unknown authority', failed('SELF_SIGNED_CERT_IN_CHAIN'), 'tls: { ca }', 'cert,'],
    ['an unknown issuer', failed('UNABLE_TO_GET_ISSUER_CERT'), 'tls: { ca }', 'cert,'],
    [
      'a required client certificate',
      failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
      'tls: { cert, key }',
      'ca }',
    ],
    [
      'a proxy that responds with 401',
      new Error('Proxy response (401) …'),
      "proxy: 'http://",
      'tls:',
    ],
    [
      'a proxy that responds with 407',
      new Error('Proxy Authentication Required (407)'),
      "proxy: 'http://",
      'tls:',
    ],
    [
      'a proxy that responds with 403',
      new Error('Proxy response (403) …'),
      'responded with 403',
      "proxy: 'http",
    ],
    ['a lost connection', failed('ECONNRESET'), 'ECONNRESET', 'tls:'],
  ])('a connection error shows only the advice for %s', (_what, cause, advice, omitted) => {
    const { message } = lost(cause);
    expect(message).toContain(advice);
    expect(message).not.toContain(omitted);
  });

  it('a connection error names the proxy and its response', () => {
    const cause = new Error('Proxy response (403) …');
    const named = lost(cause, { proxy: 'http://proxy.example.com:3128' }).message;
    expect(named).toContain('http://proxy.example.com:3128 responded with 403');
    expect(lost(cause).message).toContain('the proxy responded with 403');
  });

  it('a connection error includes the number of attempts if it exceeds 1', () => {
    expect(lost(failed('ECONNRESET'), { attempts: 3 }).message).toContain('after 3 attempts');
    expect(lost(failed('ECONNRESET'), { attempts: 1 }).message).not.toContain('attempt');
    expect(lost(failed('ECONNRESET')).message).not.toContain('attempt');
  });
});
