import { describe, expect, it } from 'vitest';
import { checkRange, describeFile } from '../../../../src/transport/download/ranges.js';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import { createDetails } from '../response/create-details.js';

const describeHeaders = (headers: RawHeaders) => describeFile(createDetails({ headers }));
const changed = 'Sun, 01 Nov 2026 10:00:00 GMT';
const later = 'Sun, 01 Nov 2026 10:00:01 GMT';

describe('describeFile() sizes', () => {
  it.each<[RawHeaders, number | undefined]>([
    [{ 'content-length': '5' }, 5],
    [{ 'content-length': '5', 'content-encoding': 'identity' }, 5],
    [{ 'content-length': '5', 'content-encoding': ' Identity ' }, 5],
    [{ 'content-length': '5', 'content-encoding': '' }, 5],
    [{ 'content-length': '5', 'content-encoding': 'gzip' }, undefined],
    [{ 'content-length': '5', 'content-encoding': 'identity, gzip' }, undefined],
    [{}, undefined],
  ])('describeFile() maps the headers %j to the size %s', (headers, size) => {
    expect(describeHeaders(headers).size).toBe(size);
  });
});

describe('describeFile() validators', () => {
  it.each<[string, RawHeaders, string | undefined]>([
    ['returns the ETag', { etag: '"a"' }, '"a"'],
    ['returns an empty ETag', { etag: '""' }, '""'],
    ['ignores an ETag with trailing text', { etag: '"a" x' }, undefined],
    ['ignores the ETag of an encoded body', { etag: '"a"', 'content-encoding': 'gzip' }, undefined],
    [
      'returns the ETag if the server supports ranges',
      { etag: '"a"', 'accept-ranges': 'bytes' },
      '"a"',
    ],
    [
      'returns the ETag if a word in Accept-Ranges merely starts with `none`',
      { etag: '"a"', 'accept-ranges': 'nonesuch' },
      '"a"',
    ],
    [
      'returns the ETag if a word in Accept-Ranges merely ends with `none`',
      { etag: '"a"', 'accept-ranges': 'bytes-or-none' },
      '"a"',
    ],
    [
      "ignores the ETag if the server doesn't support ranges",
      { etag: '"a"', 'accept-ranges': ' None ' },
      undefined,
    ],
    ['ignores a date without an ETag', { 'last-modified': changed, date: later }, undefined],
    [
      'returns the ETag even if there is a date',
      { etag: '"a"', 'last-modified': changed, date: later },
      '"a"',
    ],
    ['ignores a weak ETag', { etag: 'W/"a"', 'last-modified': changed }, undefined],
    ['returns undefined without an ETag', { date: later }, undefined],
  ])('describeFile() %s', (_what, headers, validator) => {
    expect(describeHeaders(headers).validator).toBe(validator);
  });
});

describe('checkRange()', () => {
  const rest = { from: 3, validator: '"a"' };
  const whole = describeHeaders({ 'content-length': '10', etag: '"a"' });
  const fits = (headers: RawHeaders, requested = rest, of = whole) =>
    checkRange(createDetails({ headers }), requested, of) === 10;

  it.each<[string, RawHeaders]>([
    ['with the requested range', { 'content-range': 'bytes 3-9/10', etag: '"a"' }],
    [
      'with the length of the range',
      { 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-length': '7' },
    ],
    ['with spaces and a capitalized unit', { 'content-range': ' Bytes 3-9/10 ', etag: '"a"' }],
  ])('checkRange() accepts a range response %s', (_how, headers) => {
    expect(fits(headers)).toBe(true);
  });

  it.each<[string, RawHeaders]>([
    ['without a range', {}],
    ['with an unknown unit', { 'content-range': 'kilobytes 3-9/10' }],
    ['with trailing text', { 'content-range': 'bytes 3-9/10, 12-13/14' }],
    ['with the wrong start', { 'content-range': 'bytes 2-9/10' }],
    ['with the wrong end', { 'content-range': 'bytes 3-8/10' }],
    ['with the wrong total size', { 'content-range': 'bytes 3-10/11' }],
    ['with a different ETag', { 'content-range': 'bytes 3-9/10', etag: '"b"' }],
    ['with a weak ETag', { 'content-range': 'bytes 3-9/10', etag: 'W/"a"' }],
    ['without an ETag', { 'content-range': 'bytes 3-9/10' }],
    ['without a total size', { 'content-range': 'bytes 3-9/*', etag: '"a"' }],
    [
      'with a body of the wrong length',
      { 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-length': '8' },
    ],
    [
      'with a content coding',
      { 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-encoding': 'gzip' },
    ],
  ])('checkRange() rejects a range response %s', (_how, headers) => {
    expect(fits(headers)).toBe(false);
  });

  it.each<[RawHeaders, readonly string[]]>([
    [{}, ['Content-Range', 'missing']],
    [{ 'content-range': 'bytes 2-9/10' }, ['Content-Range', 'bytes 2-9/10']],
    [{ 'content-range': 'bytes 3-9/10', etag: '"b"' }, ['"a"', '"b"']],
    [{ 'content-range': 'bytes 3-9/10' }, ['"a"', 'ETag is', 'missing']],
    [{ 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-encoding': 'gzip' }, ['coding']],
  ])(
    'checkRange() rejects a range response with the headers %j and a reason that contains %j',
    (headers, words) => {
      const why = checkRange(createDetails({ headers }), rest, whole);
      for (const word of words) expect(why).toContain(word);
      if (words.includes('missing')) expect(why).not.toContain("'");
      else expect(why).not.toContain('missing');
    },
  );

  it("checkRange() returns the total size from the range response if the file's size was unknown", () => {
    const headers = { 'content-range': 'bytes 3-9/10', etag: '"a"' };
    expect(checkRange(createDetails({ headers }), rest, describeHeaders({ etag: '"a"' }))).toBe(10);
  });

  it('checkRange() rejects a Content-Range whose numbers are too large to compare', () => {
    const headers = { 'content-range': 'bytes 3-9007199254740992/9007199254740993', etag: '"a"' };
    expect(
      checkRange(createDetails({ headers }), rest, describeHeaders({ etag: '"a"' })),
    ).toContain('9007');
  });
});
