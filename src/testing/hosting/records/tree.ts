/** Content stored at a path in a branch. */
export type TreeEntry =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly sha: string }
  | { readonly kind: 'symlink'; readonly target: string; readonly sha: string }
  | {
      readonly kind: 'submodule';
      readonly url: string;
      readonly hosted: boolean;
      readonly sha: string;
    };

/** Entries of a tree, by path. */
export type Tree = Map<string, TreeEntry>;

/** A commit. */
export interface CommitRecord {
  /** SHA-1 of the commit. */
  readonly sha: string;
  /** SHAs of the parent commits. */
  readonly parents: readonly string[];
  /** The commit message. */
  readonly message: string;
  /** Login of the author. */
  readonly login: string;
  /** Creation time in ISO 8601. */
  readonly date: string;
  /** Files of the commit. */
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** Content at a path in a tree: a file's text or bytes, a symlink or a submodule. */
export type FileContent =
  | string
  | Uint8Array
  | { readonly symlink: string }
  /** A nested repository. `hosted` is true if the repository is on the same service. */
  | { readonly submodule: string; readonly hosted?: boolean | undefined };

/** Bytes that aren't text. */
export interface Base64Data {
  /** Standard Base64 (RFC 4648, section 4). */
  readonly base64: string;
}

/** Bytes, as text if they are valid UTF-8, otherwise as Base64. */
export type BytesData = string | Base64Data;

/** @internal Converts bytes to text if the conversion is lossless, otherwise to Base64. */
export function bytesData(bytes: Buffer): BytesData {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') };
}

/** @internal */
export function decodeBytes(data: BytesData): Buffer {
  return typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.base64, 'base64');
}
