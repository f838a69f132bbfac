import { createHash } from 'node:crypto';

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Returns the `Authorization` header for a license hash. */
export const basic = (hash: string) => `Basic ${Buffer.from(`license:${hash}`).toString('base64')}`;
