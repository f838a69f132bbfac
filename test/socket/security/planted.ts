import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { onTestFinished } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';

/** Part of every free-form secret. Output must not even contain this part. */
const mark = 'pl4nted';
export const text = `${mark} "pass"\\word'+/&=%(1)!*`;
export const multiline = `-----BEGIN PRIVATE KEY-----\n${mark}/+MIIB\n-----END PRIVATE KEY-----\n`;
export const word = `${mark}-w0rd`;
/** A token with characters that are hard to mask. */
export const token = `${mark}+/=%&"(1)!*\\`;
export const hex40 = 'c0ffee5ec2e7c0ffee5ec2e7c0ffee5ec2e7abcd';
export const hex32 = 'deadbeef5ec2e7deadbeef5ec2e71234';
export const clientId = '0123456789abcdef0123';

export const licenseFile = Buffer.from('a license');
const licenseHash = createHash('md5').update(licenseFile).digest('hex');

/** Texts that output must not contain: secrets and Base64-encoded credentials. */
const traces = [
  ...[mark, hex40, hex32, licenseHash],
  ...[`jo:${text}`, `license:${hex32}`, `license:${licenseHash}`].map((pair) =>
    Buffer.from(pair).toString('base64'),
  ),
];

/** Records published events, as printed and as JSON. */
export function watchEvents(): string[] {
  const names = 'request:start request:end request:error retry wait redirect cache:hit shape-drift';
  const seen: string[] = [];
  const note = (message: unknown) => {
    seen.push(inspect(message, { depth: 20 }), JSON.stringify(message));
  };
  for (const name of names.split(' ')) {
    subscribe(`triforge:${name}`, note);
    onTestFinished(() => {
      unsubscribe(`triforge:${name}`, note);
    });
  }
  return seen;
}

/** Returns all printed forms of a value, including its causes and hidden properties. */
export function shown(value: unknown): string[] {
  const texts = [inspect(value, { depth: 20 }), String(value), JSON.stringify(value) ?? ''];
  if (value instanceof Error) {
    texts.push(value.stack ?? '', value.message, JSON.stringify(Object.entries(value)));
    for (const name of ['response', 'body', 'request', 'errors', 'issues', 'statusMessage']) {
      const part: unknown = Reflect.get(value, name);
      texts.push(inspect(part, { depth: 20 }), JSON.stringify(part) ?? '');
    }
    if (value.cause !== undefined) texts.push(...shown(value.cause));
  }
  return texts;
}

/** Throws if a string contains a secret. The error shows the surrounding text. */
export function expectClean(texts: readonly string[]): void {
  for (const each of texts) {
    for (const secret of traces) {
      const at = each.indexOf(secret);
      if (at >= 0) {
        throw new Error(`a secret shows: …${each.slice(Math.max(0, at - 80), at + 80)}…`);
      }
    }
  }
}

/** A token in the query, which URLs that the server echoes contain. */
export const queryToken = 'pl4nted-tok3n/9';
export const inQuery = { type: 'token', token: queryToken, in: 'query' } satisfies HostingAuth;

export const encode = encodeURIComponent;
export const base64 = (text: string) => Buffer.from(text).toString('base64');
