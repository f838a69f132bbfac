import { describe, expect, it } from 'vitest';
import { lost, place } from './failures.js';

describe('the cause that is kept', () => {
  const secrets = ['s3cret'];
  const failed = (fields: object) => Object.assign(new Error('gone'), fields);

  it('is the failure itself where it holds no secret', () => {
    const cause = failed({ code: 'ECONNRESET', hosts: ['', 'code.example.com'] });
    expect(lost(cause, { secrets }).cause).toBe(cause);
    expect(lost(cause, { secrets: [`'"`, 's3cret'] }).cause).toBe(cause);
  });

  it('is a copy without the rest of an answer', () => {
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

  it('is a copy with its secrets masked', () => {
    const cause = Object.assign(new TypeError('sent s3cret'), { code: 'E-s3cret' });
    const error = lost(cause, { secrets });
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      message: 'sent ***',
      code: 'E-***',
    });
    expect(error.message).toBe(
      `pulls.create: the connection failed: E-*** sent ***; the server may have executed the request ${place}`,
    );
  });

  it.each([
    ['no code', {}],
    ['a number for a code', { code: 23 }],
  ])('has no code where the failure had %s', (_title, fields) => {
    const kept = lost(failed({ ...fields, token: 's3cret' }), { secrets }).cause;
    expect(kept).toMatchObject({ name: 'Error', message: 'gone' });
    expect(kept).not.toHaveProperty('code');
    expect(kept).not.toHaveProperty('token');
  });

  const tricky = 'a\'b"c`d';
  const hidden: readonly [string, fields: object, secret: string][] = [
    ['in a field', { token: 's3cret' }, 's3cret'],
    ['five levels down', { a: { b: { c: { d: { e: 's3cret' } } } } }, 's3cret'],
    ['after a hundred others', { list: [...Array(100).fill(0), 's3cret'] }, 's3cret'],
    ['at the end of a long text', { sent: `${'x'.repeat(10_001)}s3cret` }, 's3cret'],
    ['that is printed with escapes', { token: tricky }, tricky],
    ['amid text that changes its escapes', { sent: `x"\`\` it's me` }, "it's me"],
    ['percent-encoded', { path: '/?otp=sec%22ret' }, 'sec"ret'],
  ];
  it.each(hidden)('leaves out a secret %s', (_title, fields, secret) => {
    const kept = lost(failed(fields), { secrets: [secret] }).cause;
    expect(kept).toBeInstanceOf(Error);
    expect(kept).toHaveProperty('message', 'gone');
    for (const field of Object.keys(fields)) expect(kept).not.toHaveProperty(field);
  });
});
