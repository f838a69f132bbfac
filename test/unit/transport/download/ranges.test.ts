import { describe, expect, it } from 'vitest';
import { describeWhole, sizeByRest } from '../../../../src/transport/download/ranges.js';
import type { RawHeaders } from '../../../../src/transport/http/header-fields.js';
import { answered } from '../response/answered.js';

const told = (headers: RawHeaders) => describeWhole(answered({ headers }));
const changed = 'Sun, 01 Nov 2026 10:00:00 GMT';
const later = 'Sun, 01 Nov 2026 10:00:01 GMT';

describe('the size of a file', () => {
  it.each<[RawHeaders, number | undefined]>([
    [{ 'content-length': '5' }, 5],
    [{ 'content-length': '5', 'content-encoding': 'identity' }, 5],
    [{ 'content-length': '5', 'content-encoding': ' Identity ' }, 5],
    [{ 'content-length': '5', 'content-encoding': '' }, 5],
    [{ 'content-length': '5', 'content-encoding': 'gzip' }, undefined],
    [{ 'content-length': '5', 'content-encoding': 'identity, gzip' }, undefined],
    [{}, undefined],
  ])('%j: %s', (headers, size) => {
    expect(told(headers).size).toBe(size);
  });
});

describe('the validator for the rest of a file', () => {
  it.each<[string, RawHeaders, string | undefined]>([
    ['is its ETag', { etag: '"a"' }, '"a"'],
    ['may be an empty ETag', { etag: '""' }, '""'],
    ['is not an ETag with trailing text', { etag: '"a" x' }, undefined],
    ['is missing if the body has a coding', { etag: '"a"', 'content-encoding': 'gzip' }, undefined],
    ['is its ETag if the server supports ranges', { etag: '"a"', 'accept-ranges': 'bytes' }, '"a"'],
    [
      'is its ETag with a word that starts with none',
      { etag: '"a"', 'accept-ranges': 'nonesuch' },
      '"a"',
    ],
    [
      'is its ETag with a word that ends with none',
      { etag: '"a"', 'accept-ranges': 'bytes-or-none' },
      '"a"',
    ],
    [
      'is missing if the server supports no ranges',
      { etag: '"a"', 'accept-ranges': ' None ' },
      undefined,
    ],
    ['is not its date', { 'last-modified': changed, date: later }, undefined],
    [
      'is its ETag even if there is a date',
      { etag: '"a"', 'last-modified': changed, date: later },
      '"a"',
    ],
    ['is not a weak ETag', { etag: 'W/"a"', 'last-modified': changed }, undefined],
    ['is missing without an ETag', { date: later }, undefined],
  ])('the validator %s', (_what, headers, validator) => {
    expect(told(headers).validator).toBe(validator);
  });
});

describe('a part', () => {
  const rest = { from: 3, validator: '"a"' };
  const whole = told({ 'content-length': '10', etag: '"a"' });
  const fits = (headers: RawHeaders, asked = rest, of = whole) =>
    sizeByRest(answered({ headers }), asked, of) === 10;

  it.each<[string, RawHeaders]>([
    ['as requested', { 'content-range': 'bytes 3-9/10', etag: '"a"' }],
    ['with its length', { 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-length': '7' }],
    ['in upper case, between spaces', { 'content-range': ' Bytes 3-9/10 ', etag: '"a"' }],
  ])('is the rest: %s', (_how, headers) => {
    expect(fits(headers)).toBe(true);
  });

  it.each<[string, RawHeaders]>([
    ['without a range', {}],
    ['of an unknown kind', { 'content-range': 'kilobytes 3-9/10' }],
    ['with trailing text', { 'content-range': 'bytes 3-9/10, 12-13/14' }],
    ['with another start', { 'content-range': 'bytes 2-9/10' }],
    ['with another end', { 'content-range': 'bytes 3-8/10' }],
    ['of another size', { 'content-range': 'bytes 3-10/11' }],
    ['of another file', { 'content-range': 'bytes 3-9/10', etag: '"b"' }],
    ['with a weak ETag', { 'content-range': 'bytes 3-9/10', etag: 'W/"a"' }],
    ['without an ETag', { 'content-range': 'bytes 3-9/10' }],
    ['without a size', { 'content-range': 'bytes 3-9/*', etag: '"a"' }],
    [
      'with a body of another length',
      { 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-length': '8' },
    ],
    ['in a coding', { 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-encoding': 'gzip' }],
  ])('is not: %s', (_how, headers) => {
    expect(fits(headers)).toBe(false);
  });

  it.each<[RawHeaders, readonly string[]]>([
    [{}, ['Content-Range', 'missing']],
    [{ 'content-range': 'bytes 2-9/10' }, ['Content-Range', 'bytes 2-9/10']],
    [{ 'content-range': 'bytes 3-9/10', etag: '"b"' }, ['"a"', '"b"']],
    [{ 'content-range': 'bytes 3-9/10' }, ['"a"', 'ETag is', 'missing']],
    [{ 'content-range': 'bytes 3-9/10', etag: '"a"', 'content-encoding': 'gzip' }, ['coding']],
  ])('%j is reported with %j', (headers, words) => {
    const why = sizeByRest(answered({ headers }), rest, whole);
    for (const word of words) expect(why).toContain(word);
    if (words.includes('missing')) expect(why).not.toContain("'");
    else expect(why).not.toContain('missing');
  });

  it('reports the size of a file of unknown size', () => {
    const headers = { 'content-range': 'bytes 3-9/10', etag: '"a"' };
    expect(sizeByRest(answered({ headers }), rest, told({ etag: '"a"' }))).toBe(10);
  });

  it('is rejected if its numbers are too large to compare', () => {
    const headers = { 'content-range': 'bytes 3-9007199254740992/9007199254740993', etag: '"a"' };
    expect(sizeByRest(answered({ headers }), rest, told({ etag: '"a"' }))).toContain('9007');
  });
});
