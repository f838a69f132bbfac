import { createHash } from 'node:crypto';
import { isError } from '../schema/unknown-values.js';
import type { Send } from './client.js';

/** A script that Redis keeps after its first run. */
export type Script = (keys: readonly string[], ...args: (string | Buffer)[]) => Promise<unknown>;

/** Deletes a key if it contains the caller's own value. */
export const deleteOwnScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** Renews a key for milliseconds if it contains the caller's own value. */
export const renewOwnScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`;

/** Runs a script by its hash, and by its text where Redis does not know it (any more). */
export function scriptOf(send: Send, text: string): Script {
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
