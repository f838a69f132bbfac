import { createHash } from 'node:crypto';
import type { KeyInState } from './state.js';

/**
 * Converts a public key to the form that the appliance stores. Returns undefined if the key is
 * invalid.
 */
export function keyInState(key: string): KeyInState | undefined {
  const [type, body] = key.trim().split(/\s+/);
  if (!type || !body) return undefined;
  const digest = createHash('md5').update(Buffer.from(body, 'base64')).digest('hex');
  const fingerprint = digest.match(/../g)?.join(':') ?? '';
  return { key: key.trim(), 'pretty-print': `${type} ${fingerprint}` };
}
