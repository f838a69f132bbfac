import { describe, expect, it } from 'vitest';
import { RedirectMemory } from '../../../src/transport/redirects.js';
import { at } from './redirected.js';

describe('the memory of permanent redirects', () => {
  it('resolves over several steps', () => {
    const memory = new RedirectMemory();
    memory.remember(at('/1'), at('/2'));
    memory.remember(at('/2'), at('/3'));
    expect(memory.resolve(at('/1'))).toEqual(at('/3'));
    expect(memory.resolve(at('/x'))).toEqual(at('/x'));
  });

  it('ends in a circle', () => {
    const memory = new RedirectMemory();
    memory.remember(at('/1'), at('/2'));
    memory.remember(at('/2'), at('/1'));
    expect(['/1', '/2']).toContain(memory.resolve(at('/1')).path);
  });

  it('forgets what was not used for longest', () => {
    const memory = new RedirectMemory(3);
    for (const path of ['/1', '/2', '/3']) memory.remember(at(path), at(`${path}!`));
    memory.resolve(at('/1'));
    memory.remember(at('/4'), at('/4!'));
    expect(memory.size).toBe(3);
    const known = ['/1', '/2', '/3', '/4'].filter((path) => memory.resolve(at(path)).path !== path);
    expect(known).toEqual(['/1', '/3', '/4']);
  });

  it('takes five steps at once and leaves the rest to the server', () => {
    const memory = new RedirectMemory();
    for (let step = 0; step < 8; step++) memory.remember(at(`/${step}`), at(`/${step + 1}`));
    expect(memory.resolve(at('/0'))).toEqual(at('/5'));
    expect(memory.resolve(at('/4'))).toEqual(at('/8'));
  });

  it('holds as many as it may, and one anew is not one more', () => {
    const memory = new RedirectMemory(2);
    memory.remember(at('/1'), at('/old'));
    memory.remember(at('/2'), at('/x'));
    memory.remember(at('/1'), at('/new'));
    expect(memory.size).toBe(2);
    expect(memory.resolve(at('/1'))).toEqual(at('/new'));
    expect(memory.resolve(at('/2'))).toEqual(at('/x'));
  });
});
