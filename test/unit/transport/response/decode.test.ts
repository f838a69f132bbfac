import { describe, expect, it } from 'vitest';
import { formatCount } from '../../../../src/schema/unknown-values.js';
import {
  decodeErrorBody,
  decodeJson,
  decodeText,
} from '../../../../src/transport/response/parse-response.js';

const html = { 'content-type': 'Text/HTML; charset=utf-8' };

describe('decodeJson()', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['"ä😀"', 'ä😀'],
    ['\ufeff{"ä":1}', { ä: 1 }],
    ['1e400', Number.POSITIVE_INFINITY],
    ['\ufeff9007199254740993', '9007199254740993'],
  ])('decodes %j', (text, value) => {
    expect(decodeJson([Buffer.from(text)], {})).toEqual({ ok: true, value });
  });

  it.each([
    [
      '{"ext_id":723389637071249410,"id":-9007199254740993}',
      '723389637071249410',
      '-9007199254740993',
    ],
    [
      '["is \\"9007199254740993, ","[9007199254740993"]',
      'is "9007199254740993, ',
      '[9007199254740993',
    ],
    ['[1.2345678901234567890,12345678901234567890e2]', 1.2345678901234567, 1.2345678901234568e21],
    ['[12345678901234567890.5, 0.00000000000000000001]', 12345678901234567000, 1e-20],
  ])('turns only unsafe integers in %s into strings', (text, ...values) => {
    const decoded = decodeJson([Buffer.from(text)], {});
    expect(decoded.ok && Object.values(Object(decoded.value))).toEqual(values);
  });

  it.each([
    ['iso-8859-1', Buffer.from('"näh"', 'latin1')],
    ['utf-16le', Buffer.from('"näh"', 'utf16le')],
    ['iso-8859-1', Buffer.from('"näh"')],
    ['klingon', Buffer.from('"näh"')],
  ])('decodes JSON with the charset %s', (charset, body) => {
    const headers = { 'content-type': `application/json; Charset=${charset}` };
    expect(decodeJson([body], headers)).toEqual({ ok: true, value: 'näh' });
  });

  it.each(['klingon', 'utf-8', 'shift_jis'])(
    'reports bytes that are invalid in the charset %s',
    (charset) => {
      const headers = { 'content-type': `application/json;charset=${charset}` };
      expect(decodeJson([Buffer.from([0x22, 0xfc, 0x22])], headers)).toEqual({
        ok: false,
        problem: 'undecodable',
        detail: `the body is not valid ${charset.toUpperCase()}`,
      });
    },
  );

  it.each([[[0x22, 0xff, 0x22]], [[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]]])(
    'reports invalid UTF-8 in the bytes %j',
    (bytes) => {
      expect(decodeText([Buffer.from(bytes)])).toBeUndefined();
      expect(decodeJson([Buffer.from(bytes)], html)).toStrictEqual({
        ok: false,
        problem: 'undecodable',
        detail: 'the body is not valid UTF-8',
      });
    },
  );

  it.each(['', ' \r\n\t', '\ufeff \n'])('reports an empty body for %j', (text) => {
    expect(decodeJson([Buffer.from(text)], {})).toStrictEqual({
      ok: false,
      problem: 'empty',
      detail: 'the body is empty',
    });
  });

  it.each(['<!DOCTYPE html>', '  \r\n<html>', '\ufeff<p>ä</p>'])(
    'reports markup for %j',
    (text) => {
      expect(decodeJson([Buffer.from(text)], html)).toStrictEqual({
        ok: false,
        problem: 'unexpected_type',
        detail: 'the body is text/html instead of JSON',
        cause: expect.any(SyntaxError),
      });
      expect(decodeJson([Buffer.from(text)], {})).toMatchObject({
        problem: 'unexpected_type',
        detail: 'the body is markup instead of JSON',
      });
    },
  );

  it.each(['{', 'undefined', '{"a": "<b>"', 'a <b', '{"a":1}}', '[--9007199254740993]'])(
    'reports invalid JSON for %j even if the content type is HTML',
    (text) => {
      expect(decodeJson([Buffer.from(text)], html)).toStrictEqual({
        ok: false,
        problem: 'invalid_json',
        detail: `the body is not valid JSON (${formatCount(Buffer.byteLength(text), 'byte')})`,
        cause: expect.any(SyntaxError),
      });
    },
  );
});

describe('decodeText()', () => {
  it.each([
    ['removes a byte-order mark at the start', 'efbbbfc3a4', 'ä'],
    ['keeps a character with the first two bytes of the mark', 'efbbb0', '\ufef0'],
    ['keeps a byte-order mark that is not at the start', '61efbbbf', 'a\ufeff'],
    ['removes only the first of two byte-order marks', 'efbbbfefbbbf', '\ufeff'],
  ])('%s', (_title, hex, text) => {
    expect(decodeText([Buffer.from(hex, 'hex')])).toBe(text);
  });
});

describe('decodeErrorBody()', () => {
  it.each([
    ['JSON with the media type text/html', Buffer.from('{"message":"no"}'), { message: 'no' }],
    ['null', Buffer.from('null'), null],
    ['an empty body', Buffer.alloc(0), ''],
    ['Latin-1 text', Buffer.from('näh', 'latin1'), 'näh'],
    ['JSON with invalid UTF-8', Buffer.from('["\xe4h"]', 'latin1'), ['\ufffdh']],
  ])('decodes %s', (_title, body, value) => {
    expect(decodeErrorBody([body], html)).toEqual(value);
  });
});
