import { describe, expect, it } from 'vitest';
import { UnprocessableError } from '../../../../src/errors/index.js';
import { maskBody } from '../../../../src/transport/http/redact.js';
import { createError, place } from './classified.js';

describe('classify()', () => {
  it.each([
    [304, 'UnexpectedStatusError'],
    [400, 'BadRequestError'],
    [401, 'AuthenticationError'],
    [402, 'UnexpectedStatusError'],
    [403, 'PermissionError'],
    [404, 'NotFoundError'],
    [405, 'UnexpectedStatusError'],
    [409, 'ConflictError'],
    [410, 'UnexpectedStatusError'],
    [422, 'UnprocessableError'],
    [429, 'RateLimitError'],
    [451, 'UnexpectedStatusError'],
    [500, 'ServerError'],
    [599, 'ServerError'],
  ])('classify() maps the status %i to %s', (status, name) => {
    const error = createError(status, { message: 'm' });
    expect(error).toMatchObject({ name, status });
    expect(error.message).toContain(`op: ${status} m`);
    expect(error.message).toContain('[GET https://a.example/x]');
  });
});

describe('API errors', () => {
  it("an API error doesn't repeat its message as a problem", () => {
    const message = 'Name is too long.';
    const { message: one } = createError(422, { message, errors: [message] });
    expect(one).toBe('op: 422 Name is too long. [GET https://a.example/x]');
    const { message: two } = createError(422, { message, errors: [message, { code: 'invalid' }] });
    expect(two).toBe('op: 422 Name is too long (invalid) [GET https://a.example/x]');
  });

  it.each([
    ['the `message` field', { message: 'Bad things' }, 'Bad things'],
    ['the `error` field', { error: 'oops' }, 'oops'],
    ['the `statusMessage` field', { statusMessage: 'no such' }, 'no such'],
    ['plain text', 'plain words', 'plain words'],
    ['an object as `message`', { message: { name: ['is taken'] } }, '{"name":["is taken"]}'],
    ['an array as `message`', { message: ['is taken'] }, '["is taken"]'],
    ['several joined lines', { message: 'a\n  b\r\nc' }, 'a b c'],
    ['truncated plain text', 'x'.repeat(5000), `${'x'.repeat(300)}…`],
  ])('an API error takes its message from %s', (_name, body, said) => {
    const { message } = createError(405, body);
    expect(message).toBe(`op: 405 ${said} [GET https://a.example/x]`);
  });

  it.each([
    ['is markup', '<html>x</html>'],
    ['is empty', ''],
    ['is an array', [1]],
    ["has a message that isn't text", { message: 1 }],
    ['is null', 'null'],
  ])('an API error uses the status text as the message if the body %s', (_name, body) => {
    const { message } = createError(405, body);
    expect(message).toBe('op: 405 Reason [GET https://a.example/x]');
  });

  it("an API error omits the message's final period before an explanation", () => {
    const said = 'Must specify a code.';
    const { message } = createError(401, { message: said }, { 'x-service-otp': 'required; app' });
    expect(message).toContain('op: 401 Must specify a code: a one-time password is required');
    expect(createError(404, { message: 'Wait...' }).message).toContain('404 Wait...: the resource');
    const errors = ['too long'];
    const invalid = createError(422, { message: 'Bad title.', errors });
    expect(invalid.message).toBe(`op: 422 Bad title (too long) ${place}`);
    expect(createError(422, { message: said }).message).toBe(`op: 422 ${said} ${place}`);
  });

  it('an API error lists the field errors in the message', () => {
    const errors = [
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      'a plain string',
      { code: 'custom', message: 'too many' },
      { message: 'odd' },
      null,
    ];
    const error = createError(422, { message: 'Validation Failed', errors });
    expect(error.errors).toEqual([
      { resource: 'Issue', field: 'title', code: 'missing_field' },
      { code: 'custom', message: 'a plain string' },
      { code: 'custom', message: 'too many' },
      { code: 'custom', message: 'odd' },
      { code: 'custom', message: 'null' },
    ]);
    expect(error.message).toContain('(Issue.title missing_field; a plain string; too many; odd');
  });

  it.each<[errors: unknown, said: string, problems: object[]]>([
    ['Name is taken', 'Name is taken', [{ code: 'custom', message: 'Name is taken' }]],
    [
      { name: ['is taken', 'is short'], page: { x: 1 } },
      'name is taken; name is short; page {"x":1}',
      [
        { field: 'name', code: 'custom', message: 'is taken' },
        { field: 'name', code: 'custom', message: 'is short' },
        { field: 'page', code: 'custom', message: '{"x":1}' },
      ],
    ],
  ])('an API error shows the text of the errors %j', (errors, said, problems) => {
    const error = createError(422, { message: 'Invalid', errors });
    expect(error.message).toBe(`op: 422 Invalid (${said}) ${place}`);
    expect(error.errors).toEqual(problems);
  });

  it.each([{ errors: 1 }, { errors: '' }, { errors: {} }, {}])(
    'an API error leaves `errors` empty if the body is %j',
    (body) => {
      expect(createError(422, body).errors).toEqual([]);
    },
  );

  it('an API error lists at most 100 field errors', () => {
    const errors = Array.from({ length: 101 }, (_each, index) => ({ field: `f${index}` }));
    expect(createError(422, { errors }).errors).toHaveLength(100);
  });

  it.each([
    ['keeps', 2000, true],
    ['drops', 2001, false],
  ])('an API error %s a documentation URL of %i characters', (_what, length, does) => {
    const page = 'https://d.example/'.padEnd(length, 'x');
    const { documentationUrl } = createError(422, { message: 'no', documentation_url: page });
    expect(documentationUrl).toBe(does ? page : undefined);
  });

  it('an API error masks secrets that the response contains', () => {
    const echo = 'tok3n9';
    const body = { message: `bad ${echo}`, deep: [{ [echo]: echo }], errors: [{ message: echo }] };
    const error = createError(
      422,
      { ...body, documentation_url: `https://d/${echo}` },
      {},
      { secrets: [echo] },
    );
    const { documentationUrl, errors, message } = error;
    expect(JSON.stringify([error.body, documentationUrl, errors, message])).not.toContain(echo);
    expect(error.documentationUrl).toBe('https://d/***');
  });

  it('an API error accepts an error body that is nested 100,000 levels deep', () => {
    const deep = `${'['.repeat(100_000)}"tok3n9"${']'.repeat(100_000)}`;
    const error = createError(422, deep, {}, { secrets: ['tok3n9'] });
    expect(error.name).toBe('UnprocessableError');
    expect(createError(403, deep).name).toBe('PermissionError');
    expect(createError(422, `{"message":${deep},"errors":{"a":${deep}}}`).errors).toHaveLength(1);
  });
});

describe('error messages', () => {
  it.each([
    ['if the response is empty', '', '', 'op: 405'],
    ['if the body is blank', ' \r\n\t', 'Not Allowed', 'op: 405 Not Allowed'],
    [
      'if the body is markup after a blank line',
      '\n  <p>no</p>',
      'Not Allowed',
      'op: 405 Not Allowed',
    ],
  ])(
    'an error message shows only the status and its text %s',
    (_name, body, statusText, expected) => {
      expect(createError(405, body, {}, { statusText }).message).toBe(`${expected} ${place}`);
    },
  );

  it.each([
    [
      "a field error's code with its explanation",
      { field: 'a', code: 'invalid', message: 'is odd' },
      'a invalid is odd',
    ],
    [
      "only a field error's explanation if its code is 'custom'",
      { field: 'a', code: 'custom', message: 'is odd' },
      'a is odd',
    ],
    [
      "the code 'custom' for a field error without an explanation",
      { resource: 'R', field: 'a', code: 'custom' },
      'R.a custom',
    ],
    ['the code of a field error without a field', { code: 'missing' }, 'missing'],
  ])('an error message shows %s', (_name, problem, shown) => {
    const error = createError(422, { message: 'Bad', errors: [problem] });
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error.message).toBe(`op: 422 Bad (${shown}) ${place}`);
    expect(error.errors).toEqual([problem]);
  });
});

describe('maskBody()', () => {
  const nested = (levels: number, inmost: unknown): unknown =>
    levels === 0 ? inmost : [nested(levels - 1, inmost)];

  it.each([null, 7, true])('maskBody() returns %s unchanged', (body) => {
    expect(maskBody(body, ['tok3n9'])).toBe(body);
    expect(createError(422, { a: body }, {}, { secrets: ['tok3n9'] }).body).toEqual({ a: body });
  });

  it('maskBody() cuts levels deeper than 100', () => {
    expect(maskBody(nested(100, 'tok3n9'), ['tok3n9'])).toEqual(nested(100, '***'));
    expect(maskBody(nested(101, 'tok3n9'), ['tok3n9'])).toEqual(nested(100, '… (cut)'));
  });
});
