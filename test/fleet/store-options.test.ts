import { expect, it } from 'vitest';
import { redisStore } from '../../src/redis/index.js';

const none = { sendCommand: async () => null };

it.each<[string, unknown, unknown, string]>([
  ['a missing client', undefined, {}, 'client'],
  ['null as the client', null, {}, 'client'],
  ['a URL instead of a client', 'redis://localhost', {}, 'client'],
  ['an empty object', {}, {}, 'client'],
  ['an ioredis client without functions', { getBuffer: 1 }, {}, 'client'],
  ['a node-redis client without functions', { sendCommand: 1 }, {}, 'client'],
  ['a cluster without sendCommand', { masters: [] }, {}, 'client'],
  ['an unknown option', none, { ttl: 1 }, 'ttl'],
  ['a prefix with an opening brace', none, { prefix: 'a{b' }, 'prefix'],
  ['a prefix with a closing brace', none, { prefix: 'a}b' }, 'prefix'],
  ["a prefix that isn't a string", none, { prefix: 5 }, 'prefix'],
  ['a string key that is too short', none, { key: 'k'.repeat(31) }, 'key'],
  ['a byte key that is too short', none, { key: new Uint8Array(31) }, 'key'],
  ['a numeric key', none, { key: 32 }, 'key'],
  ['a timeout of zero', none, { timeout: 0 }, 'timeout'],
])('redisStore rejects %s', (_what, client, options, option) => {
  const make = () => Reflect.apply(redisStore, undefined, [client, options]);
  expect(make).toThrow(expect.objectContaining({ code: 'configuration', option }));
});

it('redisStore defaults to a timeout of 50 ms', () => {
  expect(redisStore(none)).toMatchObject({ timeout: 50 });
  expect(redisStore(none, { timeout: 7 })).toMatchObject({ timeout: 7 });
});
