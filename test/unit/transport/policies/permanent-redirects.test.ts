import { describe, expect, it } from 'vitest';
import { PermanentRedirects } from '../../../../src/transport/policies/send.js';
import { at } from '../decisions/redirected.js';

const whose = ['a', 'GET'] as const;

describe('PermanentRedirects', () => {
  it('follows a chain of remembered redirects', () => {
    const memory = new PermanentRedirects();
    memory.remember(at('/1'), at('/2'), ...whose);
    memory.remember(at('/2'), at('/3'), ...whose);
    expect(memory.resolve(at('/1'), ...whose)).toEqual(at('/3'));
    expect(memory.resolve(at('/x'), ...whose)).toEqual(at('/x'));
  });

  it('resolves each URL in a cycle of redirects to the last target', () => {
    const memory = new PermanentRedirects();
    memory.remember(at('/1'), at('/2'), ...whose);
    memory.remember(at('/2'), at('/3'), ...whose);
    memory.remember(at('/3'), at('/1'), ...whose);
    for (const path of ['/1', '/2', '/3']) {
      expect(memory.resolve(at(path), ...whose)).toEqual(at('/1'));
    }
  });

  it('separates remembered redirects by credentials and method', () => {
    const memory = new PermanentRedirects();
    memory.remember(at('/1'), at('/2'), ...whose);
    expect(memory.resolve(at('/1'), 'a', 'HEAD')).toEqual(at('/2'));
    expect(memory.resolve(at('/1'), 'b', 'GET')).toEqual(at('/1'));
    for (const method of ['POST', 'DELETE'] as const) {
      expect(memory.resolve(at('/1'), 'a', method)).toEqual(at('/1'));
    }
  });

  it('drops the least recently used redirect when the memory is full', () => {
    const memory = new PermanentRedirects(3);
    for (const path of ['/1', '/2', '/3']) memory.remember(at(path), at(`${path}!`), ...whose);
    memory.resolve(at('/1'), ...whose);
    memory.remember(at('/4'), at('/4!'), ...whose);
    const known = ['/1', '/2', '/3', '/4'].filter(
      (path) => memory.resolve(at(path), ...whose).path !== path,
    );
    expect(known).toEqual(['/1', '/3', '/4']);
  });

  it('follows at most five remembered redirects', () => {
    const memory = new PermanentRedirects();
    for (let step = 0; step < 8; step++)
      memory.remember(at(`/${step}`), at(`/${step + 1}`), ...whose);
    expect(memory.resolve(at('/0'), ...whose)).toEqual(at('/5'));
    expect(memory.resolve(at('/4'), ...whose)).toEqual(at('/8'));
  });

  it('replaces a redirect without dropping another redirect', () => {
    const memory = new PermanentRedirects(2);
    memory.remember(at('/1'), at('/old'), ...whose);
    memory.remember(at('/2'), at('/x'), ...whose);
    memory.remember(at('/1'), at('/new'), ...whose);
    expect(memory.resolve(at('/1'), ...whose)).toEqual(at('/new'));
    expect(memory.resolve(at('/2'), ...whose)).toEqual(at('/x'));
  });
});
