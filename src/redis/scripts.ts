import { createHash } from 'node:crypto';
import { isError } from '../schema/unknown-values.js';
import type { SendCommand } from './client.js';

/** Runs a script, which Redis caches after its first run. */
export type Script = (keys: readonly string[], ...args: (string | Buffer)[]) => Promise<unknown>;

/** Deletes a key if it contains the caller's own value. */
export const deleteOwnScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Sets a key's lifetime in ms if it contains the caller's own value. */
export const renewOwnScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** Returns a function that runs a script by its hash, or by its text if Redis doesn't have it cached. */
export function createScript(send: SendCommand, text: string): Script {
  const hash = createHash('sha1').update(text).digest('hex');
  return async (keys, ...args) => {
    const [key = ''] = keys;
    const all = [`${keys.length}`, ...keys, ...args];
    try {
      return await send(key, 'EVALSHA', hash, ...all);
    } catch (error) {
      if (!(isError(error) && error.message.startsWith('NOSCRIPT'))) throw error;
      return await send(key, 'EVAL', text, ...all);
    }
  };
}
