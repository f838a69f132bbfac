import { describeKind } from '../schema/unknown-values.js';
import { createInputError } from '../transport/request/input.js';

/** Matches OpenSSH's public key types and other types with the same format. */
const keyType = /^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+$/;

/** Matches Base64 with the padding that OpenSSH requires. */
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Matches the options before a key in an `authorized_keys` file: words and quoted strings,
 * separated by commas.
 */
const keyOptions = /^[\w-]+(?:="(?:[^"\\]|\\.)*")?(?:,[\w-]+(?:="(?:[^"\\]|\\.)*")?)*[ \t]+/;

/**
 * Validates the format of a public key file: one or more keys, one per line, with or without
 * options. Blank lines and comments are allowed. Returns the trimmed text.
 * @throws {InvalidRequestError} if the file contains a private key, a truncated key, or no key.
 */
export function checkSshKey(text: string): string {
  if (typeof text !== 'string') throw notKey(`must be a string (got ${describeKind(text)})`);
  const file = text.trim();
  if (/PRIVATE KEY/.test(file)) throw notKey('must not contain a private key');
  const lines = file.split(/\r\n?|\n/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw notKey('must contain a key (got none)');
  for (const line of keys) checkLine(line);
  return file;
}

function notKey(why: string) {
  return createInputError(
    'authorized_key',
    `${why}. Pass a public key, such as the content of id_ed25519.pub.`,
  );
}

function checkLine(line: string): void {
  const bare = keyType.test(line.split(/[ \t]/, 1)[0] ?? '') ? line : line.replace(keyOptions, '');
  const [type = '', body = ''] = bare.split(/[ \t]+/);
  if (!keyType.test(type)) throw notKey('must start each key with a key type, such as ssh-ed25519');
  if (!base64.test(body)) throw notKey('must contain only keys in valid Base64');
  const bytes = Buffer.from(body, 'base64');
  const named = `\0\0\0${String.fromCharCode(type.length)}${type}`;
  if (!bytes.toString('latin1').startsWith(named)) {
    throw notKey(
      'must contain only keys whose Base64 data starts with the same key type as the line',
    );
  }
  // Certificates also contain numbers of fixed size, so their fields can't be counted this way.
  if (!type.includes('-cert-') && !isWhole(bytes)) throw notKey('must contain only complete keys');
}

/**
 * Returns whether the bytes are complete length-prefixed fields (RFC 4253 section 6.6): a type and
 * a key.
 */
function isWhole(bytes: Buffer): boolean {
  let fields = 0;
  let at = 0;
  while (at + 4 <= bytes.length) {
    at += 4 + bytes.readUInt32BE(at);
    fields += 1;
  }
  return at === bytes.length && fields >= 2;
}
