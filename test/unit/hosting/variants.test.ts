import { describe, expect, it } from 'vitest';
import * as exported from '../../../src/hosting/index.js';
import { findIssues, type Model } from '../../../src/schema/model.js';
import { sampleOf } from './samples.js';

const {
  CommitComment,
  ContentEntry,
  ContentFileItem,
  ContentItem,
  ContentResult,
  FileCommit,
  GitReference,
  GitReferenceOrMatches,
  Hook,
  PagesBuild,
  PagesSite,
  PullCommit,
  PullRequest,
  RateLimitStatus,
  Release,
  Repository,
  TeamSummary,
  User,
} = exported;

describe('hosting models', () => {
  const user2012 = {
    login: 'mona',
    id: 1,
    avatar_url: 'https://a.example.com/1',
    gravatar_id: null,
    url: 'https://code.example.com/api/v3/users/mona',
  };
  const file = sampleOf(ContentFileItem);
  const foreign = { ...file, git_url: null, html_url: null, download_url: null };
  const foreignLinks = { ...file._links, git: null, html: null };
  const pull = sampleOf(PullRequest);
  const gone = { label: null, ref: 'main', sha: pull.head.sha, user: null, repo: null };

  it.each<[what: string, model: Model<unknown>, value: unknown]>([
    ['a user from 2012', User, user2012],
    [
      'a repository from 2012 without full_name',
      Repository,
      {
        id: 1,
        name: 'a',
        owner: user2012,
        private: false,
        fork: false,
        description: null,
        url: 'u',
        html_url: 'h',
        master_branch: null,
        forks: 2,
        watchers: 13,
        open_issues: 17,
      },
    ],
    [
      'an empty repository',
      Repository,
      { ...sampleOf(Repository), pushed_at: null, language: null },
    ],
    [
      'a pull request whose fork and author were deleted',
      PullRequest,
      { ...pull, head: gone, user: null },
    ],
    [
      'a pull request that is not merged',
      PullRequest,
      {
        ...pull,
        closed_at: null,
        merged_at: null,
        merge_commit_sha: null,
        mergeable: null,
        merged_by: null,
        body: null,
      },
    ],
    [
      'a draft release',
      Release,
      {
        ...sampleOf(Release),
        draft: true,
        published_at: null,
        name: null,
        body: null,
        tarball_url: null,
        zipball_url: null,
        author: null,
      },
    ],
    [
      'a release asset without a label or an uploader',
      exported.ReleaseAsset,
      {
        ...sampleOf(exported.ReleaseAsset),
        label: null,
        uploader: null,
      },
    ],
    ['a submodule listed as a file', ContentItem, { ...foreign, size: 0, _links: foreignLinks }],
    [
      'a submodule listed as a submodule',
      ContentItem,
      {
        ...foreign,
        type: 'submodule',
        submodule_git_url: undefined,
        _links: foreignLinks,
      },
    ],
    ['a symlink listed without a target', ContentItem, { ...file, type: 'symlink' }],
    [
      'a submodule on another host',
      ContentEntry,
      {
        ...foreign,
        type: 'submodule',
        submodule_git_url: 'git://x.example.com/y.git',
        _links: foreignLinks,
      },
    ],
    [
      'a file that is too large to be included',
      ContentEntry,
      { ...file, encoding: 'none', content: '' },
    ],
    ['the listing of an empty directory', ContentResult, []],
    ['a directory listing', ContentResult, [file, { ...file, type: 'dir', size: 0 }]],
    ['the response to a file deletion', FileCommit, { ...sampleOf(FileCommit), content: null }],
    [
      'a comment on a whole commit',
      CommitComment,
      {
        ...sampleOf(CommitComment),
        path: null,
        position: null,
        line: null,
        user: null,
      },
    ],
    ['a single reference', GitReferenceOrMatches, sampleOf(GitReference)],
    ['all references with a prefix', GitReferenceOrMatches, [sampleOf(GitReference)]],
    [
      'a Pages site that is not built yet',
      PagesSite,
      { ...sampleOf(PagesSite), status: null, cname: null },
    ],
    [
      'a successful Pages build',
      PagesBuild,
      { ...sampleOf(PagesBuild), error: { message: null }, pusher: null },
    ],
    [
      'a hook of the irc service',
      Hook,
      {
        ...sampleOf(Hook),
        name: 'irc',
        config: { server: 'irc.example.com', port: 6667, ssl: true, nick: null },
      },
    ],
    ['a team without a permission', TeamSummary, { url: 'u', name: 'n', id: 1 }],
    [
      'an authorization whose token is no longer shown',
      exported.Authorization,
      {
        ...sampleOf(exported.Authorization),
        token: '',
        note: null,
        note_url: null,
        user: null,
      },
    ],
    [
      "a commit whose author the server can't identify",
      PullCommit,
      {
        ...sampleOf(PullCommit),
        author: {},
        committer: null,
      },
    ],
    ['rate limits from a 2012 server', RateLimitStatus, { rate: { limit: 5000, remaining: 4929 } }],
    [
      'rate limits from a current server',
      RateLimitStatus,
      {
        resources: {
          core: { limit: 60, remaining: 59, reset: 1 },
          graphql: { limit: 0, remaining: 0, reset: 1 },
        },
      },
    ],
  ])('the corresponding model accepts %s', (_what, model, value) => {
    expect(findIssues(model, value)).toBeUndefined();
  });

  it('a union model reports the path of an invalid field', () => {
    const paths = (model: Model<unknown>, value: unknown) =>
      findIssues(model, value)?.map((issue) => issue.path);
    expect(paths(ContentResult, [file, { ...file, size: '3' }])).toEqual([[1, 'size']]);
    expect(paths(ContentResult, { ...file, type: 'blob' })).toEqual([['type']]);
    expect(paths(ContentEntry, { ...file, type: 'file', encoding: 'base64' })).toEqual([
      ['content'],
    ]);
    expect(paths(GitReferenceOrMatches, [{ ...sampleOf(GitReference), ref: 1 }])).toEqual([
      [0, 'ref'],
    ]);
  });
});
