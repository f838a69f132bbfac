import { hasAccess } from './access.js';
import type { HostingContext } from './context.js';
import type { Rendered } from './crud.js';
import type { Pull, PullSide } from './records/pull.js';
import type { Asset, ReleaseRecord } from './records/release.js';
import type { Repo } from './records/repository.js';

/** Returns a repository's API URL. */
export function repoUrl({ api }: HostingContext, { owner, name }: Repo): string {
  return `${api}/repos/${owner}/${name}`;
}

/** Returns the URL of a repository's web page. */
export function webUrl({ origin }: HostingContext, { owner, name }: Repo): string {
  return `${origin}/${owner}/${name}`;
}

/** Percent-encodes each segment of a path. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Returns the email address of a user. */
export function emailOf(login: string): string {
  return `${login}@example.com`;
}

/** Renders a user or organization. Also accepts the login of a deleted account. */
export function renderUser(context: HostingContext, login: string) {
  const { id = 0, type = 'User', siteAdmin = false } = context.state.account(login) ?? {};
  const url = `${context.api}/users/${login}`;
  return {
    login,
    id,
    avatar_url: `${context.origin}/avatars/${id}`,
    gravatar_id: '',
    url,
    html_url: `${context.origin}/${login}`,
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type,
    site_admin: siteAdmin,
  };
}

export function renderRepo(context: HostingContext, repo: Repo): object {
  const full = `${repo.owner}/${repo.name}`;
  const web = context.origin;
  const { host, hostname } = new URL(web);
  const forks = [...context.state.repos.values()].filter((each) => each.forkOf === full).length;
  const open = repo.pulls.filter((pull) => pull.state === 'open').length;
  // The service still sends these deprecated fields, but it sends `master_branch` and `public` only
  // in the beta version.
  const deprecated = {
    forks,
    open_issues: open,
    watchers: repo.stargazers.size,
    ...(context.version === 'beta' && {
      master_branch: repo.defaultBranch,
      public: !repo.isPrivate,
    }),
  };
  return {
    id: repo.id,
    owner: renderUser(context, repo.owner),
    name: repo.name,
    full_name: full,
    description: repo.description,
    private: repo.isPrivate,
    fork: repo.forkOf !== undefined,
    url: `${context.api}/repos/${full}`,
    html_url: `${web}/${full}`,
    clone_url: `${web}/${full}.git`,
    git_url: `git://${host}/${full}.git`,
    ssh_url: `git@${hostname}:${full}.git`,
    svn_url: `${web}/${full}`,
    mirror_url: null,
    homepage: null,
    language: repo.language,
    forks_count: forks,
    stargazers_count: repo.stargazers.size,
    // The API calls stars watchers, and calls users who watch a repository subscribers.
    watchers_count: repo.stargazers.size,
    size: 108,
    open_issues_count: open,
    ...deprecated,
    default_branch: repo.defaultBranch,
    has_issues: true,
    has_wiki: true,
    has_downloads: true,
    pushed_at: repo.updatedAt,
    created_at: repo.createdAt,
    updated_at: repo.updatedAt,
    permissions: context.caller.account && {
      admin: hasAccess(context, repo, 'admin'),
      push: hasAccess(context, repo, 'push'),
      pull: true,
    },
  };
}

/**
 * Renders a pull request.
 * @param rendered rendered repository, which a list renders only once.
 */
export function renderPull(
  context: HostingContext,
  repo: Repo,
  pull: Pull,
  rendered: object = renderRepo(context, repo),
): Rendered {
  const api = repoUrl(context, repo);
  const url = `${api}/pulls/${pull.number}`;
  const issue = `${api}/issues/${pull.number}`;
  const html = `${webUrl(context, repo)}/pull/${pull.number}`;
  const statuses = `${api}/statuses/${pull.head.sha}`;
  const href = (target: string) => ({ href: target });
  const side = (end: PullSide) => ({
    label: `${end.login}:${end.ref}`,
    ref: end.ref,
    sha: end.sha,
    user: renderUser(context, end.login),
    repo: rendered,
  });
  return {
    id: pull.id,
    url,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments/{number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    number: pull.number,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    closed_at: pull.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeCommitSha,
    head: side(pull.head),
    base: side(pull.base),
    _links: {
      self: href(url),
      html: href(html),
      issue: href(issue),
      comments: href(`${issue}/comments`),
      review_comments: href(`${url}/comments`),
      review_comment: href(`${api}/pulls/comments/{number}`),
      commits: href(`${url}/commits`),
      statuses: href(statuses),
    },
    user: renderUser(context, pull.login),
  };
}

export function renderAsset(
  context: HostingContext,
  repo: Repo,
  release: ReleaseRecord,
  asset: Asset,
): Rendered {
  return {
    url: `${repoUrl(context, repo)}/releases/assets/${asset.id}`,
    browser_download_url: `${webUrl(context, repo)}/releases/download/${encodePath(release.tagName)}/${encodeURIComponent(asset.name)}`,
    id: asset.id,
    name: asset.name,
    label: asset.label,
    state: 'uploaded',
    content_type: asset.contentType,
    size: asset.size,
    download_count: asset.downloads,
    created_at: asset.createdAt,
    updated_at: asset.updatedAt,
    uploader: renderUser(context, asset.login),
  };
}

export function renderRelease(context: HostingContext, repo: Repo, release: ReleaseRecord) {
  const full = `${repo.owner}/${repo.name}`;
  const url = `${context.api}/repos/${full}/releases/${release.id}`;
  const tag = encodePath(release.tagName);
  return {
    url,
    html_url: `${context.origin}/${full}/releases/${tag}`,
    assets_url: `${url}/assets`,
    upload_url: `${context.origin}/api/uploads/repos/${full}/releases/${release.id}/assets{?name}`,
    tarball_url: `${context.api}/repos/${full}/tarball/${tag}`,
    zipball_url: `${context.api}/repos/${full}/zipball/${tag}`,
    id: release.id,
    tag_name: release.tagName,
    target_commitish: release.targetCommitish,
    name: release.name,
    body: release.body,
    draft: release.draft,
    prerelease: release.prerelease,
    created_at: release.createdAt,
    published_at: release.publishedAt,
    author: renderUser(context, release.login),
    assets: release.assets.map((asset) => renderAsset(context, repo, release, asset)),
  };
}
