import { createHash } from 'node:crypto';

/** MD5 hash of a license with this text. */
export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** `Authorization` header for the hash of a license. */
export const basic = (hash: string) => `Basic ${Buffer.from(`license:${hash}`).toString('base64')}`;
