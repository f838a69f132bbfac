/** Repository data that the defaults of the repository's records depend on. */
export interface ParentRepo {
  readonly owner: string;
  readonly defaultBranch: string;
  readonly refs: ReadonlyMap<string, { readonly sha: string }>;
  readonly pulls: readonly { readonly number: number }[];
}

/** Returns the SHA of the default branch's head, or an empty string if the branch is missing. */
export function headSha({ refs, defaultBranch }: ParentRepo): string {
  return refs.get(`heads/${defaultBranch}`)?.sha ?? '';
}
