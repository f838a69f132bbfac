import { expect, it } from 'vitest';
import { encodeParameters } from '../../../src/transport/body.js';

it('parameters are encoded, and those without a value are left out', () => {
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
