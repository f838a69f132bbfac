import { InvalidRequestError } from '../errors.js';

/** Types of public keys that OpenSSH knows, and others of the same shape. */
const keyType = /^(?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+$/;

/**
 * Checks the shape of one SSH public key, and gives it as one trimmed line.
 * @throws {InvalidRequestError} a private key, several keys, or something else.
 */
export function checkSshKey(text: string): string {
  const refuse = (why: string) =>
    new InvalidRequestError(
      `authorized_key: ${why}; expected one public key, as in id_ed25519.pub`,
      'authorized_key',
    );
  if (typeof text !== 'string') throw refuse('it is no text');
  const line = text.trim();
  if (/PRIVATE KEY/.test(line))
    throw refuse('this is a private key, which must never leave its machine');
  if (line === '' || /[\r\n]/.test(line)) throw refuse('it is not one line');
  const [type = '', body = ''] = line.split(/[ \t]+/);
  if (!keyType.test(type)) throw refuse('it does not begin with a key type');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(body)) throw refuse('its second word is not Base64');
  const bytes = Buffer.from(body, 'base64');
  const length = bytes.length >= 4 ? bytes.readUInt32BE(0) : 0;
  if (bytes.toString('latin1', 4, 4 + length) !== type) {
    throw refuse('what it holds is another type of key than it says');
  }
  return line;
}
