/**
 * Fields of the hosting resources in the contract's section "Resources and their fields".
 * `fields.test.ts` compares the fields with the models and with the contract if it exists.
 */
import type { Tree } from './tree.js';

export const user = {
  login: 'string',
  id: 'integer',
  avatar_url: 'string',
  gravatar_id: 'string',
  url: 'string',
  html_url: 'string',
  followers_url: 'string',
  following_url: 'string',
  gists_url: 'string',
  starred_url: 'string',
  subscriptions_url: 'string',
  organizations_url: 'string',
  repos_url: 'string',
  events_url: 'string',
  received_events_url: 'string',
  type: 'string',
  site_admin: 'boolean',
} as const satisfies Tree;

export const authorization = {
  id: 'integer',
  url: 'string',
  scopes: 'strings',
  token: 'string',
  app: { url: 'string', name: 'string', client_id: 'string' },
  note: 'string',
  note_url: 'string',
  created_at: 'string',
  updated_at: 'string',
  user,
} as const satisfies Tree;

export const teamSummary = { url: 'string', name: 'string', id: 'integer' } as const satisfies Tree;

export const team = {
  ...teamSummary,
  permission: 'string',
  members_count: 'integer',
  repos_count: 'integer',
  organization: { login: 'string', id: 'integer', url: 'string', avatar_url: 'string' },
} as const satisfies Tree;

export const repository = {
  id: 'integer',
  owner: user,
  name: 'string',
  full_name: 'string',
  description: 'string',
  private: 'boolean',
  fork: 'boolean',
  url: 'string',
  html_url: 'string',
  clone_url: 'string',
  git_url: 'string',
  ssh_url: 'string',
  svn_url: 'string',
  mirror_url: 'string',
  homepage: 'string',
  language: 'string',
  forks_count: 'integer',
  stargazers_count: 'integer',
  watchers_count: 'integer',
  size: 'integer',
  open_issues_count: 'integer',
  default_branch: 'string',
  has_issues: 'boolean',
  has_wiki: 'boolean',
  has_downloads: 'boolean',
  pushed_at: 'string',
  created_at: 'string',
  updated_at: 'string',
  permissions: { admin: 'boolean', push: 'boolean', pull: 'boolean' },
} as const satisfies Tree;

/** Section "Versioning": deprecated attributes that servers still send. */
export const repositoryDeprecated = {
  forks: 'integer',
  master_branch: 'string',
  open_issues: 'integer',
  public: 'boolean',
  watchers: 'integer',
} as const satisfies Tree;

export const releaseAsset = {
  url: 'string',
  browser_download_url: 'string',
  id: 'integer',
  name: 'string',
  label: 'string',
  state: 'string',
  content_type: 'string',
  size: 'integer',
  download_count: 'integer',
  created_at: 'string',
  updated_at: 'string',
  uploader: user,
} as const satisfies Tree;

export const release = {
  url: 'string',
  html_url: 'string',
  assets_url: 'string',
  upload_url: 'string',
  tarball_url: 'string',
  zipball_url: 'string',
  id: 'integer',
  tag_name: 'string',
  target_commitish: 'string',
  name: 'string',
  body: 'string',
  draft: 'boolean',
  prerelease: 'boolean',
  created_at: 'string',
  published_at: 'string',
  author: user,
  assets: [releaseAsset],
} as const satisfies Tree;

export const commitComment = {
  html_url: 'string',
  url: 'string',
  id: 'integer',
  body: 'string',
  path: 'string',
  position: 'integer',
  line: 'integer',
  commit_id: 'string',
  user,
  created_at: 'string',
  updated_at: 'string',
} as const satisfies Tree;

export const gitReference = {
  ref: 'string',
  url: 'string',
  object: { type: 'string', sha: 'string', url: 'string' },
} as const satisfies Tree;

const contentItem = {
  type: 'string',
  size: 'integer',
  name: 'string',
  path: 'string',
  sha: 'string',
  url: 'string',
  git_url: 'string',
  html_url: 'string',
  _links: { self: 'string', git: 'string', html: 'string' },
} as const satisfies Tree;

export const contentFile = {
  ...contentItem,
  encoding: 'string',
  content: 'string',
} as const satisfies Tree;
export const contentSymlink = { ...contentItem, target: 'string' } as const satisfies Tree;
export const contentSubmodule = {
  ...contentItem,
  submodule_git_url: 'string',
} as const satisfies Tree;

/** A file, symlink or other entry in a repository's contents. */
export const contentEntry = {
  ...contentFile,
  ...contentSymlink,
  ...contentSubmodule,
} as const satisfies Tree;

const gitActor = { date: 'string', name: 'string', email: 'string' } as const satisfies Tree;

/** Section "Endpoints", Contents: response to file creates and updates. */
export const fileCommit = {
  content: contentItem,
  commit: {
    sha: 'string',
    url: 'string',
    html_url: 'string',
    author: gitActor,
    committer: gitActor,
    message: 'string',
    tree: { url: 'string', sha: 'string' },
    parents: [{ url: 'string', html_url: 'string', sha: 'string' }],
  },
} as const satisfies Tree;

export const pagesSite = {
  url: 'string',
  status: 'string',
  cname: 'string',
  custom_404: 'boolean',
} as const satisfies Tree;

export const pagesBuild = {
  url: 'string',
  status: 'string',
  error: { message: 'string' },
  pusher: user,
  commit: 'string',
  duration: 'integer',
  created_at: 'string',
  updated_at: 'string',
} as const satisfies Tree;

const branch = {
  label: 'string',
  ref: 'string',
  sha: 'string',
  user,
  repo: repository,
} as const satisfies Tree;
const link = { href: 'string' } as const satisfies Tree;

export const pullRequest = {
  url: 'string',
  html_url: 'string',
  diff_url: 'string',
  patch_url: 'string',
  issue_url: 'string',
  commits_url: 'string',
  review_comments_url: 'string',
  review_comment_url: 'string',
  comments_url: 'string',
  statuses_url: 'string',
  number: 'integer',
  state: 'string',
  title: 'string',
  body: 'string',
  created_at: 'string',
  updated_at: 'string',
  closed_at: 'string',
  merged_at: 'string',
  head: branch,
  base: branch,
  _links: {
    self: link,
    html: link,
    issue: link,
    comments: link,
    review_comments: link,
    review_comment: link,
    commits: link,
    statuses: link,
  },
  user,
} as const satisfies Tree;

export const hook = {
  url: 'string',
  id: 'integer',
  name: 'string',
  events: 'strings',
  active: 'boolean',
  config: { url: 'string', content_type: 'string', secret: 'string', insecure_ssl: 'string' },
  created_at: 'string',
  updated_at: 'string',
} as const satisfies Tree;

export const download = {
  url: 'string',
  html_url: 'string',
  id: 'integer',
  name: 'string',
  description: 'string',
  size: 'integer',
  download_count: 'integer',
  content_type: 'string',
} as const satisfies Tree;

function integers<const Names extends readonly string[]>(...names: Names) {
  return Object.fromEntries(names.map((name) => [name, 'integer' as const]));
}

export const adminStats = {
  repos: integers(
    'total_repos',
    'root_repos',
    'fork_repos',
    'org_repos',
    'total_pushes',
    'total_wikis',
  ),
  hooks: integers('total_hooks', 'active_hooks', 'inactive_hooks'),
  pages: integers('total_pages'),
  orgs: integers('total_orgs', 'disabled_orgs', 'total_teams', 'total_team_members'),
  users: integers('total_users', 'admin_users', 'suspended_users'),
  pulls: integers('total_pulls', 'merged_pulls', 'mergeable_pulls', 'unmergeable_pulls'),
  issues: integers('total_issues', 'open_issues', 'closed_issues'),
  milestones: integers('total_milestones', 'open_milestones', 'closed_milestones'),
  gists: integers('total_gists', 'private_gists', 'public_gists'),
  comments: integers(
    'total_commit_comments',
    'total_gist_comments',
    'total_issue_comments',
    'total_pull_request_comments',
  ),
} satisfies Tree;
