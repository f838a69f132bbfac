/** Bytes that aren't text. */
export interface Base64Data {
  /** Standard Base64 (RFC 4648, section 4). */
  readonly base64: string;
}

/** Bytes, as text if they are valid UTF-8, otherwise as Base64. */
export type BytesData = string | Base64Data;

/** Converts bytes to text if the conversion is lossless, otherwise to Base64. */
export function bytesData(bytes: Buffer): BytesData {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}

export function decodeBytes(data: BytesData): Buffer {
  return typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.base64, 'base64');
}
