import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import * as check from '../../checks.js';
import {
  children,
  converted,
  type DataOf,
  field,
  type Loose,
  type Origin,
  type RecordOf,
  record,
  required,
} from '../../record.js';
import { dated, ownerLogin, type ParentRepo } from './shared-fields.js';
import { type BytesData, bytesData, decodeBytes } from './tree.js';

const emptyHash = createHash('sha256').digest('hex');

// This type has a name because TypeScript before 5.7 can't read the inferred form
// `Buffer<ArrayBufferLike>`.
/** Asset content. Undefined if only the size and hash are stored. */
export type AssetContent = Buffer | undefined;

/** @internal */
export const assetKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** File name. */
  name: required(check.name()),
  /** Label to display instead of the name. */
  label: field(check.nullText(), null),
  /** Media type, such as `application/zip`. */
  contentType: field(check.headerText(), 'application/octet-stream'),
  /**
   * Content. Undefined if only the size and hash are stored, as for uploads larger than 16 MiB.
   */
  content: converted<AssetContent, BytesData | undefined>(
    z.optional(check.bytes()),
    (_, { size }) => (size === undefined ? Buffer.alloc(0) : undefined),
    {
      decode: (data) => (data === undefined ? undefined : decodeBytes(data)),
      encode: (content) => content && bytesData(content),
    },
  ),
  /** Size in bytes. */
  size: field(check.count(), (_, { content }) => (content instanceof Buffer ? content.length : 0)),
  /** SHA-256 of the content, in hex. */
  sha256: field(check.headerText(), (_, { content }) =>
    content instanceof Buffer ? createHash('sha256').update(content).digest('hex') : emptyHash,
  ),
  /** Number of downloads. */
  downloads: field(check.count(), 0),
  /** Login of the uploader. */
  login: field(check.text(), ({ parent }: Origin<{ readonly login: string }>) => parent.login),
  ...dated,
});

/** A release asset. */
export interface Asset extends RecordOf<typeof assetKind> {}

/** An asset in a world file. */
export interface AssetData extends DataOf<typeof assetKind> {}

/** Properties of a new asset. If you omit the content, set `size` and `sha256`. */
export type AssetInput = Loose<
  Pick<Asset, 'content' | 'contentType' | 'label' | 'login' | 'size' | 'sha256'>
>;

/** @internal */
export const releaseKind = record(
  {
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** Name of the tag. */
    tagName: required(check.name()),
    /** Branch or commit from which the tag is created. */
    targetCommitish: field(check.text(), ({ parent }: Origin<ParentRepo>) => parent.defaultBranch),
    /** Title. */
    name: field(check.nullText(), null),
    /** Text in Markdown. */
    body: field(check.nullText(), null),
    /** Whether the release is an unpublished draft. */
    draft: field(check.flag(), false),
    /** Whether the release is a prerelease. */
    prerelease: field(check.flag(), false),
    /** Creation time in ISO 8601. */
    createdAt: field(check.time(), ({ now }) => now),
    /** Time of publication in ISO 8601. Null for a draft. */
    publishedAt: field(check.nullTime(), ({ now }, { draft }) => (draft === true ? null : now)),
    /** Login of the author. */
    login: ownerLogin,
    /** Files of the release. */
    assets: children<Asset, AssetData>(assetKind),
  },
  ['tagName'],
);

/** A release. */
export interface ReleaseRecord extends RecordOf<typeof releaseKind> {}

/** A release in a world file. */
export interface ReleaseData extends DataOf<typeof releaseKind> {}

/** Properties of a new release. */
export type ReleaseInput = Loose<Omit<ReleaseRecord, 'id' | 'tagName' | 'assets'>>;
