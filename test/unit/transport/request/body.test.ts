import { expect, it } from 'vitest';
import { serializeJson } from '../../../../src/transport/request/body.js';
import { encodeParameters } from '../../../../src/transport/request/input.js';
import { about } from '../../about.js';

it('encodeParameters() encodes parameters and omits null and undefined', () => {
  expect(
    encodeParameters([
      ['none', undefined],
      ['a b', 'ä&'],
      ['null', null],
      ['n', [1, 2]],
      ['f', false],
    ]),
  ).toBe('a%20b=%C3%A4%26&n=1&n=2&f=false');
});

it("serializeJson() rejects a value that JSON can't represent", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  const message = about('body', /JSON/);
  const refused = { code: 'invalid_request', field: 'body', message };
  const attempt = (value: unknown) => () => serializeJson(value, 'pulls.create: body', 'body');
  expect(attempt(circle)).toThrow(
    expect.objectContaining({ ...refused, cause: expect.any(TypeError) }),
  );
  expect(attempt(() => 1)).toThrow(expect.objectContaining(refused));
  expect(attempt(() => 1)).toThrow(expect.not.objectContaining({ cause: undefined }));
});
