import { describe, expect, it } from 'vitest';
import { formatCount } from '../../../../src/schema/unknown-values.js';
import {
  decodeErrorBody,
  decodeJson,
  decodeText,
} from '../../../../src/transport/response/parse-response.js';

const html = { 'content-type': 'Text/HTML; charset=utf-8' };
const notJson = (text: string) =>
  `the body is not valid JSON (${formatCount(Buffer.byteLength(text), 'byte')})`;

describe('decodeJson()', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' [1] ', [1]],
    ['null', null],
    ['"ä😀"', 'ä😀'],
    ['\ufeff{"ä":1}', { ä: 1 }],
    ['\ufeff1', 1],
    ['1e400', Number.POSITIVE_INFINITY],
  ])('decodeJson() decodes %j', (text, value) => {
    expect(decodeJson(Buffer.from(text), {})).toEqual({ ok: true, value });
  });
});

describe('errors of decodeJson()', () => {
  it.each([[[0x22, 0xff, 0x22]], [[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]]])(
    'decodeJson() reports invalid UTF-8 in the bytes %j',
    (bytes) => {
      expect(decodeText(Buffer.from(bytes))).toBeUndefined();
      expect(decodeJson(Buffer.from(bytes), html)).toStrictEqual({
        ok: false,
        problem: 'undecodable',
        detail: 'the body is not valid UTF-8',
      });
    },
  );

  it.each(['', '\r\n', ' \r\n\t', '\ufeff', '\ufeff \n'])(
    'decodeJson() reports an empty body for %j',
    (text) => {
      expect(decodeJson(Buffer.from(text), {})).toStrictEqual({
        ok: false,
        problem: 'empty',
        detail: 'the body is empty',
      });
    },
  );

  it.each(['<!DOCTYPE html>', '  \r\n<html>', '\ufeff<p>ä</p>'])(
    'decodeJson() reports markup for %j',
    (text) => {
      expect(decodeJson(Buffer.from(text), html)).toStrictEqual({
        ok: false,
        problem: 'unexpected_type',
        detail: 'the body is text/html instead of JSON',
        cause: expect.any(SyntaxError),
      });
      expect(decodeJson(Buffer.from(text), {})).toMatchObject({
        problem: 'unexpected_type',
        detail: 'the body is markup instead of JSON',
      });
    },
  );

  it.each(['{', 'undefined', '{"a": "<b>"', 'a<b', 'a <b', '"ä', '{"a":1}}'])(
    'decodeJson() reports invalid JSON for %j even if the content type is HTML',
    (text) => {
      expect(decodeJson(Buffer.from(text), html)).toStrictEqual({
        ok: false,
        problem: 'invalid_json',
        detail: notJson(text),
        cause: expect.any(SyntaxError),
      });
    },
  );
});

describe('decodeText()', () => {
  it.each([
    ['removes a complete byte-order mark at the start', [0xef, 0xbb, 0xbf, 0xc3, 0xa4], 'ä'],
    ['keeps a character that has only the first byte of the mark', [0xef, 0x80, 0x80], '\uf000'],
    [
      'keeps a character that has only the first two bytes of the mark',
      [0xef, 0xbb, 0xb0],
      '\ufef0',
    ],
    [
      'keeps a character that has only the first and last byte of the mark',
      [0xef, 0xbc, 0xbf],
      '\uff3f',
    ],
    [
      'keeps a character that has only the last two bytes of the mark',
      [0xe3, 0xbb, 0xbf],
      '\u3eff',
    ],
    ['keeps a character that has only the second byte of the mark', [0xe3, 0xbb, 0x80], '\u3ec0'],
    ['keeps a character that has only the last byte of the mark', [0xe3, 0x80, 0xbf], '\u303f'],
    ['keeps a byte-order mark that is not at the start', [0x61, 0xef, 0xbb, 0xbf], 'a\ufeff'],
    [
      'removes only the first of two byte-order marks',
      [0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf],
      '\ufeff',
    ],
  ])('decodeText() %s', (_title, bytes, text) => {
    expect(decodeText(Buffer.from(bytes))).toBe(text);
  });
});

describe('decodeErrorBody()', () => {
  it.each([
    ['JSON with the media type text/html', Buffer.from('{"message":"no"}'), { message: 'no' }],
    ['null', Buffer.from('null'), null],
    ['text', Buffer.from('näh'), 'näh'],
    ['text with a byte-order mark', Buffer.from('\ufeffnäh'), 'näh'],
    ['an empty body', Buffer.alloc(0), ''],
    ['Latin-1 text', Buffer.from('näh', 'latin1'), 'näh'],
  ])('decodeErrorBody() decodes %s', (_title, body, value) => {
    expect(decodeErrorBody(body, html)).toEqual(value);
  });
});
