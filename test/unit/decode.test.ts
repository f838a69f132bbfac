import { describe, expect, it } from 'vitest';
import { decodeErrorBody, decodeJson, textOf } from '../../src/transport/decode.js';

const html = { 'content-type': 'text/html; charset=utf-8' };

describe('JSON is decoded', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' [1] ', [1]],
    ['null', null],
    ['"ä😀"', 'ä😀'],
    ['\ufeff{"ä":1}', { ä: 1 }],
    ['\ufeff1', 1],
    ['1e400', Number.POSITIVE_INFINITY],
  ])('%j', (text, value) => {
    expect(decodeJson(Buffer.from(text), {})).toEqual({ ok: true, value });
  });
});

describe('what is no JSON is told apart', () => {
  it.each([
    ['', 'empty', /empty/],
    ['\r\n', 'empty', /empty/],
    ['\ufeff', 'empty', /empty/],
    ['<!DOCTYPE html>', 'unexpected_type', /expected JSON, got text\/html/],
    ['{', 'invalid_json', /not valid JSON \(1 bytes\)/],
    ['undefined', 'invalid_json', /not valid JSON/],
  ])('%j: %s', (text, problem, detail) => {
    expect(decodeJson(Buffer.from(text), html)).toMatchObject({
      ok: false,
      problem,
      detail: expect.stringMatching(detail),
    });
  });

  it('markup without a label', () => {
    expect(decodeJson(Buffer.from('<x>'), {})).toMatchObject({
      detail: 'expected JSON, got markup',
    });
  });

  it.each([[[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0x22, 0xff, 0x22]]])(
    'bytes that are not UTF-8: %j',
    (bytes) => {
      expect(decodeJson(Buffer.from(bytes), {})).toMatchObject({
        ok: false,
        problem: 'undecodable',
      });
      expect(textOf(Buffer.from(bytes))).toBeUndefined();
    },
  );
});

it('an error body is JSON, or text, or its bytes', () => {
  expect(decodeErrorBody(Buffer.from('{"a":1}'), html)).toEqual({ a: 1 });
  expect(decodeErrorBody(Buffer.from('oops'), {})).toBe('oops');
  expect(decodeErrorBody(Buffer.from([0x6f, 0xff]), {})).toBe('oÿ');
});
