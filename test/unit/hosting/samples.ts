/** A response for each hosting model, with every declared field. */
import * as models from '../../../src/hosting/index.js';
import type { Model } from '../../../src/schema/model.js';

const api = 'https://code.example.com/api/v3';
const web = 'https://code.example.com';
const then = '2014-03-08T01:37:27Z';
const sha = '9bf22dff54fd6a7650230b70417b55e8cccfc4f2';

const user: models.User = {
  login: 'mona',
  id: 1,
  avatar_url: `${web}/avatars/1`,
  gravatar_id: 'becfacf16d1c453662cc46abf5b6f0f9',
  url: `${api}/users/mona`,
  html_url: `${web}/mona`,
  followers_url: `${api}/users/mona/followers`,
  following_url: `${api}/users/mona/following{/other_user}`,
  gists_url: `${api}/users/mona/gists{/gist_id}`,
  starred_url: `${api}/users/mona/starred{/owner}{/repo}`,
  subscriptions_url: `${api}/users/mona/subscriptions`,
  organizations_url: `${api}/users/mona/orgs`,
  repos_url: `${api}/users/mona/repos`,
  events_url: `${api}/users/mona/events{/privacy}`,
  received_events_url: `${api}/users/mona/received_events`,
  type: 'User',
  site_admin: false,
  bio: 'likes octopuses',
  plan: { collaborators: 5 },
};

const repository: models.Repository = {
  id: 17531975,
  owner: user,
  name: 'sandbox',
  full_name: 'mona/sandbox',
  description: 'It is epic',
  private: false,
  fork: false,
  url: `${api}/repos/mona/sandbox`,
  html_url: `${web}/mona/sandbox`,
  clone_url: `${web}/mona/sandbox.git`,
  git_url: 'git://code.example.com/mona/sandbox.git',
  ssh_url: 'git@code.example.com:mona/sandbox.git',
  svn_url: `${web}/mona/sandbox`,
  mirror_url: 'git://elsewhere.example.com/sandbox.git',
  homepage: 'https://sandbox.example.com',
  language: 'Ruby',
  forks_count: 3,
  stargazers_count: 4,
  watchers_count: 4,
  size: 256,
  open_issues_count: 54,
  default_branch: 'main',
  has_issues: true,
  has_wiki: true,
  has_downloads: false,
  pushed_at: then,
  created_at: then,
  updated_at: then,
  permissions: { admin: false, push: false, pull: true },
  forks: 3,
  master_branch: 'main',
  open_issues: 54,
  public: true,
  watchers: 4,
};

const branch: models.PullRequestBranch = {
  label: 'mona:main',
  ref: 'main',
  sha,
  user,
  repo: repository,
};

const pull = `${api}/repos/mona/sandbox/pulls/2`;
const pullRequest: models.PullRequest = {
  url: pull,
  id: 13337627,
  html_url: `${web}/mona/sandbox/pull/2`,
  diff_url: `${web}/mona/sandbox/pull/2.diff`,
  patch_url: `${web}/mona/sandbox/pull/2.patch`,
  issue_url: `${api}/repos/mona/sandbox/issues/2`,
  commits_url: `${pull}/commits`,
  review_comments_url: `${pull}/comments`,
  review_comment_url: `${api}/repos/mona/sandbox/pulls/comments/{number}`,
  comments_url: `${api}/repos/mona/sandbox/issues/2/comments`,
  statuses_url: `${api}/repos/mona/sandbox/statuses/${sha}`,
  number: 2,
  state: 'closed',
  title: 'A new pull request',
  body: 'The body',
  created_at: then,
  updated_at: then,
  closed_at: then,
  merged_at: then,
  head: branch,
  base: branch,
  _links: {
    self: { href: pull },
    html: { href: `${web}/mona/sandbox/pull/2` },
    issue: { href: `${api}/repos/mona/sandbox/issues/2` },
    comments: { href: `${api}/repos/mona/sandbox/issues/2/comments` },
    review_comments: { href: `${pull}/comments` },
    review_comment: { href: `${api}/repos/mona/sandbox/pulls/comments/{number}` },
    commits: { href: `${pull}/commits` },
    statuses: { href: `${api}/repos/mona/sandbox/statuses/${sha}` },
  },
  user,
  merge_commit_sha: sha,
  merged: true,
  mergeable: false,
  merged_by: user,
  comments: 0,
  commits: 1,
  additions: 1,
  deletions: 0,
  changed_files: 1,
};

const asset: models.ReleaseAsset = {
  url: `${api}/repos/mona/sandbox/releases/assets/7`,
  browser_download_url: `${web}/mona/sandbox/releases/download/v1/tool.zip`,
  id: 7,
  name: 'tool.zip',
  label: 'the tool',
  state: 'uploaded',
  content_type: 'application/zip',
  size: 43425,
  download_count: 42,
  created_at: then,
  updated_at: then,
  uploader: user,
};

const release: models.Release = {
  url: `${api}/repos/mona/sandbox/releases/1`,
  html_url: `${web}/mona/sandbox/releases/v1`,
  assets_url: `${api}/repos/mona/sandbox/releases/1/assets`,
  upload_url: 'https://uploads.code.example.com/repos/mona/sandbox/releases/1/assets{?name}',
  tarball_url: `${api}/repos/mona/sandbox/tarball/v1`,
  zipball_url: `${api}/repos/mona/sandbox/zipball/v1`,
  id: 1,
  tag_name: 'v1',
  target_commitish: 'main',
  name: 'One',
  body: 'The first',
  draft: false,
  prerelease: false,
  created_at: then,
  published_at: then,
  author: user,
  assets: [asset],
};

const contentBase = {
  size: 3,
  name: 'a.md',
  path: 'docs/a.md',
  sha,
  url: `${api}/repos/mona/sandbox/contents/docs/a.md?ref=main`,
  git_url: `${api}/repos/mona/sandbox/git/blobs/${sha}`,
  html_url: `${web}/mona/sandbox/blob/main/docs/a.md`,
  download_url: `${web}/raw/mona/sandbox/main/docs/a.md`,
  _links: {
    self: `${api}/repos/mona/sandbox/contents/docs/a.md?ref=main`,
    git: `${api}/repos/mona/sandbox/git/blobs/${sha}`,
    html: `${web}/mona/sandbox/blob/main/docs/a.md`,
  },
};
const cloneUrl = 'git://code.example.com/mona/other.git';
const fileItem: models.ContentItem = {
  ...contentBase,
  type: 'file',
  target: 'b.md',
  submodule_git_url: cloneUrl,
};
const actor: models.GitActor = { name: 'Mona', email: 'mona@example.com', date: then };
const tree: models.TreeReference = { url: `${api}/repos/mona/sandbox/git/trees/${sha}`, sha };
const commitUrl = `${api}/repos/mona/sandbox/git/commits/${sha}`;
const parent: models.CommitParent = { url: commitUrl, html_url: `${web}/mona/c/${sha}`, sha };

const comment = {
  html_url: `${web}/mona/sandbox/commit/${sha}#commitcomment-9`,
  url: `${api}/repos/mona/sandbox/comments/9`,
  id: 9,
  path: 'README.md',
  position: 16,
  line: 20,
  commit_id: sha,
  user,
  created_at: then,
  updated_at: then,
};

const teamSummary: models.TeamSummary = {
  url: `${api}/teams/5`,
  name: 'Owners',
  id: 5,
  slug: 'owners',
  permission: 'admin',
};

const stats: models.AdminStats = {
  repos: {
    total_repos: 6,
    root_repos: 5,
    fork_repos: 1,
    org_repos: 2,
    total_pushes: 99,
    total_wikis: 1,
  },
  hooks: { total_hooks: 3, active_hooks: 2, inactive_hooks: 1 },
  pages: { total_pages: 1 },
  orgs: { total_orgs: 2, disabled_orgs: 0, total_teams: 4, total_team_members: 9 },
  users: { total_users: 9, admin_users: 1, suspended_users: 0 },
  pulls: { total_pulls: 8, merged_pulls: 5, mergeable_pulls: 2, unmergeable_pulls: 1 },
  issues: { total_issues: 7, open_issues: 3, closed_issues: 4 },
  milestones: { total_milestones: 2, open_milestones: 1, closed_milestones: 1 },
  gists: { total_gists: 5, private_gists: 2, public_gists: 3 },
  comments: {
    total_commit_comments: 1,
    total_gist_comments: 2,
    total_issue_comments: 3,
    total_pull_request_comments: 4,
  },
};

/** A model and a value with all its fields. */
export interface Sample {
  readonly model: Model<unknown>;
  readonly maximal: object;
}

const sample = <T extends object>(model: Model<T>, maximal: T): Sample => ({ model, maximal });
const bucket: models.RateLimitBucket = { limit: 5000, remaining: 4999, reset: 1394242647, used: 1 };

export const samples: readonly Sample[] = [
  sample(models.User, user),
  sample(models.Repository, repository),
  sample(models.PullRequest, pullRequest),
  sample(models.MergeResult, { sha, merged: true, message: 'Pull Request successfully merged' }),
  sample(models.ReleaseAsset, asset),
  sample(models.Release, release),
  sample(models.ContentItem, fileItem),
  sample(models.ContentFile, {
    ...contentBase,
    type: 'file',
    encoding: 'base64',
    content: 'YWJj\n',
  }),
  sample(models.ContentDirectory, { ...contentBase, type: 'dir' }),
  sample(models.ContentSymlink, { ...contentBase, type: 'symlink', target: 'b.md' }),
  sample(models.ContentSubmodule, {
    ...contentBase,
    type: 'submodule',
    submodule_git_url: cloneUrl,
  }),
  sample(models.FileCommit, {
    content: fileItem,
    commit: {
      sha,
      url: commitUrl,
      html_url: `${web}/mona/sandbox/commit/${sha}`,
      author: actor,
      committer: actor,
      message: 'Say hello',
      tree,
      parents: [parent],
    },
  }),
  sample(models.PullCommit, {
    sha,
    url: commitUrl,
    html_url: `${web}/mona/sandbox/commit/${sha}`,
    comments_url: `${commitUrl}/comments`,
    commit: {
      url: commitUrl,
      author: actor,
      committer: actor,
      message: 'Say hello',
      tree,
      comment_count: 0,
    },
    author: user,
    committer: user,
    parents: [parent],
  }),
  sample(models.PullFile, {
    sha,
    filename: 'docs/b.md',
    status: 'renamed',
    additions: 1,
    deletions: 2,
    changes: 3,
    blob_url: `${web}/mona/sandbox/blob/${sha}/docs/b.md`,
    raw_url: `${web}/mona/sandbox/raw/${sha}/docs/b.md`,
    contents_url: `${api}/repos/mona/sandbox/contents/docs/b.md?ref=${sha}`,
    patch: '@@ -1 +1 @@',
    previous_filename: 'docs/a.md',
  }),
  sample(models.Authorization, {
    id: 1,
    url: `${api}/authorizations/1`,
    scopes: ['repo', 'user'],
    token: 'abcdefgh12345678',
    app: { url: 'https://app.example.com', name: 'An app', client_id: 'abcde12345fghij67890' },
    note: 'for a script',
    note_url: 'https://app.example.com/why',
    created_at: then,
    updated_at: then,
    user,
    fingerprint: 'laptop',
    // SHA-256, which has 64 digits.
    hashed_token: sha + sha.slice(0, 24),
    token_last_eight: '12345678',
  }),
  sample(models.TeamSummary, teamSummary),
  sample(models.Team, {
    ...teamSummary,
    members_count: 3,
    repos_count: 10,
    organization: {
      login: 'octo',
      id: 2,
      url: `${api}/orgs/octo`,
      avatar_url: `${web}/avatars/2`,
    },
  }),
  sample(models.CommitComment, { ...comment, body: '*Nice*' }),
  sample(models.CommitCommentText, { ...comment, body_text: 'Nice' }),
  sample(models.CommitCommentHtml, { ...comment, body_html: '<em>Nice</em>' }),
  sample(models.CommitCommentFull, {
    ...comment,
    body: '*Nice*',
    body_text: 'Nice',
    body_html: '<em>Nice</em>',
  }),
  sample(models.GitReference, {
    ref: 'refs/heads/main',
    url: `${api}/repos/mona/sandbox/git/refs/heads/main`,
    object: { type: 'commit', sha, url: commitUrl },
  }),
  sample(models.PagesSite, {
    url: `${api}/repos/mona/sandbox/pages`,
    status: 'built',
    cname: 'docs.example.com',
    custom_404: true,
  }),
  sample(models.PagesBuild, {
    url: `${api}/repos/mona/sandbox/pages/builds/1`,
    status: 'errored',
    error: { message: 'Page build failed' },
    pusher: user,
    commit: sha,
    duration: 2104,
    created_at: then,
    updated_at: then,
  }),
  sample(models.Hook, {
    url: `${api}/repos/mona/sandbox/hooks/1`,
    id: 1,
    name: 'web',
    events: ['push'],
    active: true,
    config: {
      url: 'https://hooks.example.com',
      content_type: 'json',
      secret: '********',
      insecure_ssl: '0',
    },
    created_at: then,
    updated_at: then,
  }),
  sample(models.HookService, {
    name: 'irc',
    events: ['push', 'pull_request'],
    supported_events: ['push', 'pull_request', 'issues'],
    schema: [
      ['string', 'server'],
      ['boolean', 'ssl'],
    ],
  }),
  sample(models.Download, {
    url: `${api}/repos/mona/sandbox/downloads/1`,
    html_url: `${web}/downloads/mona/sandbox/tool.zip`,
    id: 1,
    name: 'tool.zip',
    description: 'The tool',
    size: 6144,
    download_count: 1392,
    content_type: 'application/zip',
  }),
  sample(models.AdminStats, stats),
  sample(models.RateLimitStatus, {
    resources: { core: bucket, search: { ...bucket, limit: 30 } },
    rate: bucket,
  }),
  sample(models.Stargazer, { starred_at: then, user }),
  sample(models.StarredRepository, { starred_at: then, repo: repository }),
];

export function sampleOf<T extends object>(model: Model<T>): T {
  const found = samples.find((each) => each.model === model);
  if (!found) throw new Error(`no sample of ${model.name}`);
  return found.maximal as T; // `as`: `sample()` checked that the value matches the model.
}
