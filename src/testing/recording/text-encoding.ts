import { isUtf8 } from 'node:buffer';

/** Body text and a function that encodes changed text in the same encoding. */
export interface DecodedText {
  readonly text: string;
  readonly isUtf8: boolean;
  encode(changed: string): Buffer;
}

/** Number of bytes to examine for UTF-16. */
const examined = 1000;

/**
 * Decodes a body as UTF-16 if a byte order mark or the media type declares it, or if most byte
 * pairs are ASCII characters in UTF-16. Otherwise, decodes valid UTF-8 as UTF-8 and other bytes as
 * Latin-1, in which each byte is a character.
 */
export function decodeRecorded(bytes: Buffer, contentType = ''): DecodedText {
  const order = utf16Order(bytes, contentType);
  if (order !== undefined) {
    const swap = (octets: Buffer) => (order === 'big' ? Buffer.from(octets).swap16() : octets);
    return {
      text: swap(bytes).toString('utf16le'),
      isUtf8: false,
      encode: (text) => swap(Buffer.from(text, 'utf16le')),
    };
  }
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
  return {
    text: bytes.toString(encoding),
    isUtf8: encoding === 'utf8',
    encode: (text) => Buffer.from(text, encoding),
  };
}

function utf16Order(bytes: Buffer, contentType: string): 'little' | 'big' | undefined {
  if (bytes.length < 2 || bytes.length % 2 === 1) return undefined;
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfffe) return 'little';
  if (mark === 0xfeff) return 'big';
  const [, order] = /\bcharset\s*=\s*["']?utf-?16(le|be)?/i.exec(contentType) ?? [];
  if (order) return /le/i.test(order) ? 'little' : 'big';
  const pairs = Math.min(examined, bytes.length) / 2;
  let [little, big] = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 2) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (second === 0 && isAscii(first)) little++;
    if (first === 0 && isAscii(second)) big++;
  }
  if (Math.max(little, big) < 0.6 * pairs) return undefined;
  return little > big ? 'little' : 'big';
}

/** Returns whether a byte is a printable ASCII character, a tab or a line break. */
function isAscii(byte: number): boolean {
  return (byte >= 32 && byte < 127) || byte === 9 || byte === 10 || byte === 13;
}
