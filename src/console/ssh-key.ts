import { invalidInput } from '../transport/request/input.js';

/** Types of public keys that OpenSSH knows, and others of the same shape. */
const keyType = /^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+$/;

/** Padded, as OpenSSH demands it. */
const base64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Checks the shape of one SSH public key, and gives it as one trimmed line.
 * @throws {InvalidRequestError} a private key, several keys, a key cut short, or something else.
 */
export function checkSshKey(text: string): string {
  const notKey = (why: string) =>
    invalidInput('authorized_key', `${why}; expected one public key, as in id_ed25519.pub`);
  if (typeof text !== 'string') throw notKey('it is no text');
  const line = text.trim();
  if (/PRIVATE KEY/.test(line)) {
    throw notKey('this is a private key, which must never leave its machine');
  }
  if (line === '' || /[\r\n]/.test(line)) throw notKey('it is not one line');
  const [type = '', body = ''] = line.split(/[ \t]+/);
  if (!keyType.test(type)) throw notKey('it does not begin with a key type');
  if (!base64.test(body)) throw notKey('its second word is not Base64, or is cut short');
  const bytes = Buffer.from(body, 'base64');
  const named = `\0\0\0${String.fromCharCode(type.length)}${type}`;
  if (!bytes.toString('latin1').startsWith(named)) {
    throw notKey('what it holds is another type of key than it says');
  }
  // Certificates also hold numbers of fixed size: their fields can not be counted like this.
  if (!type.includes('-cert-') && !isWhole(bytes)) throw notKey('it is cut short, or damaged');
  return line;
}

/** Whether the bytes are fields with their lengths before them (RFC 4253 section 6.6): a type, and a key. */
function isWhole(bytes: Buffer): boolean {
  let fields = 0;
  let at = 0;
  while (at + 4 <= bytes.length) {
    at += 4 + bytes.readUInt32BE(at);
    fields += 1;
  }
  return at === bytes.length && fields >= 2;
}
