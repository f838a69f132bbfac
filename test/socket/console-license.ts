import { createHash } from 'node:crypto';

/** The hash that a license of this text is known by. */
export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** `Authorization` for the hash of a license. */
export const basic = (hash: string) => `Basic ${Buffer.from(`license:${hash}`).toString('base64')}`;
