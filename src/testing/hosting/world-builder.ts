import { createHash } from 'node:crypto';
import { sha1 } from '../random.js';
import type { Loose } from './account-builder.js';
import { RepoBuilder, type RepoName } from './repo-builder.js';
import type {
  Asset,
  CommentRecord,
  DownloadRecord,
  HookRecord,
  PagesBuildRecord,
  Pull,
  ReleaseRecord,
} from './repo-state.js';

/** Sets scenes: everything that the hosting API of the emulator knows can be added here. */
export class WorldBuilder extends RepoBuilder {
  /** Adds a pull request: an open one of the owner, from `topic-<number>` into the default branch, unless it says otherwise. */
  addPull(repo: RepoName, input: Loose<Omit<Pull, 'id' | 'number'>> = {}): Pull {
    const found = this.repoNamed(repo);
    const number = found.pulls.length + 1;
    const createdAt = input.createdAt ?? this.clock.iso();
    const side = (ref: string) => ({ ref, login: found.owner, sha: sha1(ref, String(number)) });
    const base = found.defaultBranch;
    const pull: Pull = {
      id: this.state.nextId(),
      number,
      title: input.title ?? `Pull request ${number}`,
      body: input.body ?? null,
      state: input.state ?? 'open',
      login: input.login ?? found.owner,
      createdAt,
      updatedAt: input.updatedAt ?? createdAt,
      closedAt: input.closedAt ?? (input.state === 'closed' ? createdAt : null),
      mergedAt: input.mergedAt ?? null,
      mergeCommitSha: input.mergeCommitSha ?? null,
      comments: input.comments ?? 0,
      head: input.head ?? side(`topic-${number}`),
      base: input.base ?? { ...side(base), sha: found.refs.get(`heads/${base}`)?.sha ?? '' },
    };
    found.pulls.push(pull);
    return pull;
  }

  /** Adds a release: a published one of the owner unless it says otherwise. */
  addRelease(
    repo: RepoName,
    tagName: string,
    input: Loose<Omit<ReleaseRecord, 'id' | 'tagName' | 'assets'>> = {},
  ): ReleaseRecord {
    const found = this.repoNamed(repo);
    const createdAt = input.createdAt ?? this.clock.iso();
    const draft = input.draft ?? false;
    const release: ReleaseRecord = {
      id: this.state.nextId(),
      tagName,
      targetCommitish: input.targetCommitish ?? found.defaultBranch,
      name: input.name ?? null,
      body: input.body ?? null,
      draft,
      prerelease: input.prerelease ?? false,
      createdAt,
      publishedAt: input.publishedAt ?? (draft ? null : createdAt),
      login: input.login ?? found.owner,
      assets: [],
    };
    found.releases.push(release);
    return release;
  }

  /** Adds an asset to a release. @param input.size,input.sha256 where the content itself is not kept. */
  addAsset(
    release: ReleaseRecord,
    name: string,
    input: Loose<
      Pick<Asset, 'content' | 'contentType' | 'label' | 'login' | 'size' | 'sha256'>
    > = {},
  ): Asset {
    const now = this.clock.iso();
    const content = input.content ?? (input.size === undefined ? Buffer.alloc(0) : undefined);
    const asset: Asset = {
      id: this.state.nextId(),
      name,
      label: input.label ?? null,
      contentType: input.contentType ?? 'application/octet-stream',
      size: input.size ?? content?.length ?? 0,
      sha256:
        input.sha256 ??
        createHash('sha256')
          .update(content ?? '')
          .digest('hex'),
      content,
      downloads: 0,
      login: input.login ?? release.login,
      createdAt: now,
      updatedAt: now,
    };
    release.assets.push(asset);
    return asset;
  }

  /** Adds a comment on a commit. @param input.sha default: the head of the default branch. */
  addComment(
    repo: RepoName,
    body: string,
    input: Loose<Omit<CommentRecord, 'id' | 'body' | 'updatedAt'>> = {},
  ): CommentRecord {
    const found = this.repoNamed(repo);
    const createdAt = input.createdAt ?? this.clock.iso();
    const comment: CommentRecord = {
      id: this.state.nextId(),
      sha: input.sha ?? found.refs.get(`heads/${found.defaultBranch}`)?.sha ?? '',
      body,
      path: input.path ?? null,
      position: input.position ?? null,
      line: input.line ?? null,
      login: input.login ?? found.owner,
      createdAt,
      updatedAt: createdAt,
    };
    found.comments.push(comment);
    return comment;
  }

  /** Adds a hook; unlike one made by a request, it is not pinged. Defaults: `web`, `push`, active. */
  addHook(
    repo: RepoName,
    config: Readonly<Record<string, string>>,
    input: Loose<Pick<HookRecord, 'name' | 'events' | 'active'>> = {},
  ): HookRecord {
    const now = this.clock.iso();
    const hook: HookRecord = {
      id: this.state.nextId(),
      name: input.name ?? 'web',
      events: [...(input.events ?? ['push'])],
      active: input.active ?? true,
      config: { ...config },
      lastResponse: { code: null, status: 'unused', message: null },
      createdAt: now,
      updatedAt: now,
    };
    this.repoNamed(repo).hooks.push(hook);
    return hook;
  }

  /** Adds a download (deprecated by the service). */
  addDownload(
    repo: RepoName,
    name: string,
    input: Loose<Omit<DownloadRecord, 'id' | 'name'>> = {},
  ): DownloadRecord {
    const download: DownloadRecord = {
      id: this.state.nextId(),
      name,
      description: input.description ?? null,
      size: input.size ?? 1024,
      downloads: input.downloads ?? 0,
      contentType: input.contentType ?? null,
      createdAt: input.createdAt ?? this.clock.iso(),
    };
    this.repoNamed(repo).downloads.push(download);
    return download;
  }

  /** Adds a build of the Pages site, and the site where there is none. Default: built. */
  addPagesBuild(
    repo: RepoName,
    input: Loose<
      Pick<PagesBuildRecord, 'status' | 'error' | 'login' | 'duration' | 'createdAt'>
    > = {},
  ): PagesBuildRecord {
    const found = this.repoNamed(repo);
    found.pages ??= { cname: null, custom404: false, builds: [] };
    const createdAt = input.createdAt ?? this.clock.iso();
    const build: PagesBuildRecord = {
      id: this.state.nextId(),
      status: input.status === undefined ? 'built' : input.status,
      error: input.error ?? null,
      login: input.login ?? found.owner,
      commit: found.refs.get(`heads/${found.defaultBranch}`)?.sha ?? '',
      duration: input.duration ?? 2000,
      createdAt,
      updatedAt: createdAt,
    };
    found.pages.builds.push(build);
    return build;
  }
}
