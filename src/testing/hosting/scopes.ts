/** Scopes that each scope implies. */
const implied: Readonly<Record<string, readonly string[]>> = {
  user: ['user:email', 'user:follow'],
  repo: ['public_repo', 'repo_deployment', 'repo:status', 'notifications'],
  'write:repo_hook': ['read:repo_hook'],
  'admin:repo_hook': ['write:repo_hook', 'read:repo_hook'],
  'write:org': ['read:org'],
  'admin:org': ['write:org', 'read:org'],
  'write:public_key': ['read:public_key'],
  'admin:public_key': ['write:public_key', 'read:public_key'],
};

const known = new Set([
  ...Object.keys(implied),
  ...Object.values(implied).flat(),
  'delete_repo',
  'gist',
]);

export function isScope(name: string): boolean {
  return known.has(name);
}

/**
 * Returns the requested scopes without duplicates and without scopes that another requested scope
 * implies.
 */
export function normalized(scopes: readonly string[]): string[] {
  const brought = new Set(scopes.flatMap((scope) => implied[scope] ?? []));
  return [...new Set(scopes)].filter((scope) => !brought.has(scope));
}

/** Returns whether the granted scopes include or imply at least one of the required scopes. */
export function grants(granted: readonly string[], wanted: readonly string[]): boolean {
  return granted.some((scope) =>
    [scope, ...(implied[scope] ?? [])].some((each) => wanted.includes(each)),
  );
}
