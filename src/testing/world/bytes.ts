import type { FileContent } from '../hosting/git.js';
import type { TreeEntry } from '../hosting/repo-state.js';
import type { BytesData, FileData } from './world.js';

/** Converts bytes to text if that is lossless, otherwise to Base64. */
export function bytesData(bytes: Buffer): BytesData {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}

export function decodeBytes(data: BytesData): Buffer {
  return typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.base64, 'base64');
}

export function fileData(entry: TreeEntry): FileData {
  if (entry.kind === 'file') return bytesData(entry.bytes);
  if (entry.kind === 'symlink') return { symlink: entry.target };
  return { submodule: entry.url, hosted: entry.hosted };
}

export function decodeContent(data: FileData): FileContent {
  return typeof data === 'string' || 'base64' in data ? decodeBytes(data) : data;
}
