import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../../../src/transport/request/bounded-map.js';

describe('a bounded map', () => {
  it('drops the oldest entry when the map exceeds its capacity', () => {
    const map = new BoundedMap<string, number>(2);
    map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  it('drops enough old entries to fit a larger entry', () => {
    const map = new BoundedMap<string, string>(10, (value) => value.length);
    map.set('a', '1234').set('b', '1234').set('c', '12').set('d', '1234567');
    expect([...map.keys()]).toEqual(['c', 'd']);
  });

  it('drops an entry that is larger than the capacity', () => {
    const map = new BoundedMap<string, string>(4, (value) => value.length);
    map.set('a', '12').set('b', '1').set('b', '12345');
    expect([...map.keys()]).toEqual(['a']);
  });

  it('frees the capacity of replaced, deleted and cleared entries', () => {
    const map = new BoundedMap<string, string>(4, (value) => value.length);
    map.set('a', '1234').set('a', '12').set('b', '12');
    expect([...map.keys()]).toEqual(['a', 'b']);
    expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
    map.set('c', '12');
    expect([...map.keys()]).toEqual(['b', 'c']);
    map.clear();
    map.set('d', '1234');
    expect([...map.keys()]).toEqual(['d']);
  });

  it('passes the key to the size function', () => {
    const map = new BoundedMap<string, undefined>(3, (_value, key) => key.length);
    map.set('ab', undefined).set('cd', undefined).set('e', undefined);
    expect([...map.keys()]).toEqual(['cd', 'e']);
  });
});
