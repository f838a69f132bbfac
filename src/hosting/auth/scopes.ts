const included = {
  user: ['user:email', 'user:follow'],
  'user:email': [],
  'user:follow': [],
  public_repo: [],
  repo: ['public_repo', 'repo_deployment', 'repo:status', 'notifications'],
  repo_deployment: [],
  'repo:status': [],
  delete_repo: [],
  notifications: [],
  gist: [],
  'read:repo_hook': [],
  'write:repo_hook': ['read:repo_hook'],
  'admin:repo_hook': ['write:repo_hook', 'read:repo_hook'],
  'read:org': [],
  'write:org': ['read:org'],
  'admin:org': ['write:org', 'read:org'],
  'read:public_key': [],
  'write:public_key': ['read:public_key'],
  'admin:public_key': ['write:public_key', 'read:public_key'],
} as const;

/** The documented scopes. */
export type KnownScope = keyof typeof included;

/**
 * Scope of a token. Scopes that newer servers add are allowed. A token without scopes can read
 * public information. A scope limits the user's own permissions and never extends them.
 *
 * | scope | grants |
 * |---|---|
 * | `user` | read and write the profile |
 * | `user:email` | read email addresses |
 * | `user:follow` | follow and unfollow users |
 * | `public_repo` | read and write public repositories' code, commit and deployment statuses |
 * | `repo` | same as `public_repo`, for private repositories too |
 * | `repo_deployment` | access deployment statuses of public and private repositories |
 * | `repo:status` | read and write commit statuses of public and private repositories |
 * | `delete_repo` | delete repositories that the user administers |
 * | `notifications` | read notifications |
 * | `gist` | write gists |
 * | `read:repo_hook` | read and ping hooks |
 * | `write:repo_hook` | read, ping, create and change hooks |
 * | `admin:repo_hook` | read, ping, create, change and delete hooks |
 * | `read:org` | read organizations, teams and memberships |
 * | `write:org` | same as `read:org`, plus publicize and unpublicize memberships |
 * | `admin:org` | manage organizations, teams and memberships |
 * | `read:public_key` | list and view public keys |
 * | `write:public_key` | list, view and create public keys |
 * | `admin:public_key` | list, view, create and delete public keys |
 */
export type Scope = KnownScope | (string & {});

/**
 * Scopes that each scope includes, directly or indirectly. `repo` doesn't include `delete_repo` or
 * hook scopes. `public_repo` doesn't include `repo:status` or `repo_deployment`, because those
 * scopes also cover private repositories.
 *
 * | scope | includes |
 * |---|---|
 * | `user` | `user:email`, `user:follow` |
 * | `repo` | `public_repo`, `repo_deployment`, `repo:status`, `notifications` |
 * | `write:repo_hook` | `read:repo_hook` |
 * | `admin:repo_hook` | `write:repo_hook`, `read:repo_hook` |
 * | `write:org` | `read:org` |
 * | `admin:org` | `write:org`, `read:org` |
 * | `write:public_key` | `read:public_key` |
 * | `admin:public_key` | `write:public_key`, `read:public_key` |
 */
export const scopeImplications: Readonly<Record<KnownScope, readonly KnownScope[]>> = included;

const implications = new Map<string, readonly KnownScope[]>(Object.entries(scopeImplications));

/** Returns the scopes that `scope` implies. Empty for an unknown scope. */
export function impliedScopes(scope: Scope): readonly KnownScope[] {
  return implications.get(scope) ?? [];
}

/**
 * Normalizes scopes as the server does: drops duplicates and the scopes that another scope includes
 * ({@link scopeImplications}) and keeps the order. `['user', 'gist', 'user:email']` becomes
 * `['user', 'gist']`. Unknown scopes are kept.
 */
export function normalizeScopes(scopes: readonly Scope[]): Scope[] {
  const implied = new Set<string>(scopes.flatMap(impliedScopes));
  return [...new Set(scopes)].filter((scope) => !implied.has(scope));
}

/**
 * Returns the scopes in `wanted` that are neither in `granted` nor implied by a scope in `granted`.
 */
export function missingScopes(wanted: readonly Scope[], granted: readonly Scope[]): Scope[] {
  const held = new Set<string>([...granted, ...granted.flatMap(impliedScopes)]);
  return [...new Set(wanted)].filter((scope) => !held.has(scope));
}
