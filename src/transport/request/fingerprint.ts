import { createHash } from 'node:crypto';

/** Tells credentials apart without revealing them: keys of budgets and cached answers. */
export function fingerprintOf(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url').slice(0, 22);
}

/** The value of a Basic `Authorization` header (RFC 7617, UTF-8). */
export function basicValue(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
