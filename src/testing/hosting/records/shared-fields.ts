import * as check from '../../checks.js';
import { field, type Origin } from '../../record.js';

/** Repository data that record defaults depend on. */
export interface ParentRepo {
  readonly owner: string;
  readonly defaultBranch: string;
  readonly refs: ReadonlyMap<string, { readonly sha: string }>;
  readonly pulls: readonly { readonly number: number }[];
}

/** Returns the SHA of the default branch's head. Empty if the branch is missing. */
export function headSha({ refs, defaultBranch }: ParentRepo): string {
  return refs.get(`heads/${defaultBranch}`)?.sha ?? '';
}

/** Login that defaults to the repository's owner. */
export const ownerLogin = field(check.text(), ({ parent }: Origin<ParentRepo>) => parent.owner);

/** Commit SHA that defaults to the default branch's head. */
export const headCommit = field(check.text(), ({ parent }: Origin<ParentRepo>) => headSha(parent));

/** Times of a record. */
export const dated = {
  /** Creation time in ISO 8601. */
  createdAt: field(check.time(), ({ now }) => now),
  /** Time of the last change in ISO 8601. */
  updatedAt: field(check.time(), ({ now }) => now),
};
