import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { defineList, model, openEnum, ref, unionModel } from '../../schema/model.js';

/** Object that a reference points to. */
export interface GitObject {
  /** Object type. An annotated tag is a separate object that points to a commit. */
  type: 'commit' | 'tag' | (string & {});
  /** SHA of the object. */
  sha: string;
  /** API URL of the object. */
  url: string;
}

/** Git reference, such as a branch, a tag or a note. */
export interface GitReference {
  /** Fully qualified name, for example `refs/heads/main`. */
  ref: string;
  /** API URL of the reference. */
  url: string;
  /** Object that the reference points to. */
  object: GitObject;
}

/**
 * Response to a request for one reference. If no reference has that exact name, servers return
 * every reference whose name starts with it.
 */
export type GitReferenceOrMatches = GitReference | GitReference[];

export const GitObject = model<GitObject>()('GitObject', () => ({
  type: openEnum('commit', 'tag'),
  ...fields(z.string, 'sha url'),
}));

export const GitReference = model<GitReference>()('GitReference', () => ({
  ...fields(z.string, 'ref url'),
  object: ref(GitObject),
}));

export const GitReferenceOrMatches = unionModel<GitReferenceOrMatches>('GitReferenceOrMatches', [
  GitReference,
  defineList(GitReference),
]);
