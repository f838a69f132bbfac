import { createHash } from 'node:crypto';
import { isError } from '../schema/unknown-values.js';
import type { SendCommand } from './client.js';

/** Runs a script, which Redis caches after its first run. */
export type Script = (keys: readonly string[], ...args: (string | Buffer)[]) => Promise<unknown>;

/** Deletes a key if it contains the caller's value. */
export const deleteOwnScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Sets a key to the caller's value, unless the key contains another caller's value. Returns the
 * key's value, or the first 100 bytes of a larger value, which another program must have written.
 * ARGV: the caller's value; its lifetime in ms. Overwrites a value that doesn't expire, because
 * another program must have written it. Also overwrites a value whose lifetime is too long, because
 * Redis's clock must have been set back.
 */
export const claimScript = `
local owner, left = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])
if owner and owner ~= ARGV[1] and left >= 0 and left <= 2 * ARGV[2] then
  return string.sub(owner, 1, 100)
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]`;

/**
 * Value of a webhook delivery's key once the delivery is handled. Before that, the value is the
 * claimant's ID.
 */
export const handled = 'handled';

/** Claims a webhook delivery like `claimScript`. Returns `handled` if the delivery was handled. */
export const claimUnhandledScript = `
if redis.call('GET', KEYS[1]) == '${handled}' then return '${handled}' end
${claimScript}`;

/**
 * Returns a function that runs a script by its hash, or by its text if Redis hasn't cached the
 * script.
 */
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
