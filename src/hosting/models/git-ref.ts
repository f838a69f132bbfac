import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { listOf, model, openEnum, ref, unionModel } from '../../schema/model.js';

/** What a reference points to. */
export interface GitObject {
  /** Kind of object. An annotated tag is an object of its own, that points to a commit. */
  type: 'commit' | 'tag' | (string & {});
  /** SHA of the object. */
  sha: string;
  /** API URL of the object. */
  url: string;
}

/** A git reference: a branch, a tag, a note…. */
export interface GitReference {
  /** Fully qualified: `refs/heads/main`. */
  ref: string;
  /** API URL of the reference. */
  url: string;
  /** What it points to. */
  object: GitObject;
}

/**
 * What reading one reference really answers: the reference, or every reference whose name begins
 * like the one asked for, when there is none of that very name.
 * @remarks The list is known from the public v3 documentation.
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
  listOf(GitReference),
]);
