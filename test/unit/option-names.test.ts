import { describe, expect, it } from 'vitest';
import { copyOptions } from '../../src/option-names.js';

const names = { one: true, two: true } as const;

describe('copyOptions()', () => {
  it('copyOptions() copies own options, inherited options and getters', () => {
    class Base {
      readonly #one = 1;
      get one() {
        return this.#one;
      }
    }
    const given = Object.assign(new Base(), { two: 2 });
    expect(copyOptions(given, names)).toEqual({ one: 1, two: 2 });
    expect(copyOptions(Object.create({ one: 1, two: 2 }), names)).toEqual({ one: 1, two: 2 });
  });

  it('copyOptions() omits undefined options', () => {
    expect(Object.keys(copyOptions({ one: undefined, two: 2 }, names))).toEqual(['two']);
  });

  it('copyOptions() rejects an unknown option', () => {
    const given: { one: number; two?: number } = Object.assign({ one: 1 }, { tow: 2 });
    expect(() => copyOptions(given, names)).toThrow("unknown option 'tow'");
  });
});
