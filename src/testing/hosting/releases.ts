import { bytes, empty, json } from '../reply.js';
import type { Router } from '../router.js';
import {
  booleanField,
  callerOf,
  type HostingContext,
  type HostingRoute,
  invalid,
  notFound,
  numberParam,
  permissionOf,
  pushableRepoOf,
  repoOf,
  requiredField,
  stringField,
} from './context.js';
import { paged } from './paging.js';
import { renderAsset, renderRelease } from './render.js';
import type { Asset, ReleaseRecord, Repo } from './state.js';

function seesDrafts(context: HostingContext, repo: Repo): boolean {
  const permission = permissionOf(repo, context.caller.account);
  return permission === 'push' || permission === 'admin';
}

function visible(context: HostingContext, repo: Repo): ReleaseRecord[] {
  const drafts = seesDrafts(context, repo);
  return repo.releases.filter((release) => drafts || !release.draft).reverse();
}

function releaseOf(context: HostingContext, repo: Repo): ReleaseRecord {
  const id = numberParam(context, 'id');
  const release = visible(context, repo).find((each) => each.id === id);
  if (!release) throw notFound();
  return release;
}

function assetOf(context: HostingContext, repo: Repo): [ReleaseRecord, Asset] {
  const id = numberParam(context, 'id');
  for (const release of visible(context, repo)) {
    const asset = release.assets.find((each) => each.id === id);
    if (asset) return [release, asset];
  }
  throw notFound();
}

function checkTag(repo: Repo, tag: string, self?: ReleaseRecord): void {
  if (repo.releases.some((release) => release !== self && release.tagName === tag)) {
    throw invalid({ resource: 'Release', field: 'tag_name', code: 'already_exists' });
  }
}

const list: HostingRoute = (context) => {
  const repo = repoOf(context);
  return paged(context, visible(context, repo), (release) => renderRelease(context, repo, release));
};

const get: HostingRoute = (context) => {
  const repo = repoOf(context);
  return json(200, renderRelease(context, repo, releaseOf(context, repo)));
};

const latest: HostingRoute = (context) => {
  const repo = repoOf(context);
  const release = visible(context, repo).find((each) => !each.draft && !each.prerelease);
  if (!release) throw notFound();
  return json(200, renderRelease(context, repo, release));
};

const byTag: HostingRoute = (context) => {
  const repo = repoOf(context);
  const tag = context.param('tag');
  const release = repo.releases.find((each) => !each.draft && each.tagName === tag);
  if (!release) throw notFound();
  return json(200, renderRelease(context, repo, release));
};

const create: HostingRoute = async (context) => {
  const repo = pushableRepoOf(context);
  const account = callerOf(context);
  const body = await context.body();
  const tagName = requiredField('Release', body, 'tag_name');
  checkTag(repo, tagName);
  const draft = booleanField('Release', body, 'draft') ?? false;
  const now = context.clock.iso();
  const release: ReleaseRecord = {
    id: context.state.nextId(),
    tagName,
    targetCommitish: stringField('Release', body, 'target_commitish') ?? repo.defaultBranch,
    name: stringField('Release', body, 'name') ?? null,
    body: stringField('Release', body, 'body') ?? null,
    draft,
    prerelease: booleanField('Release', body, 'prerelease') ?? false,
    createdAt: now,
    publishedAt: draft ? null : now,
    login: account.login,
    assets: [],
  };
  repo.releases.push(release);
  const location = `${context.api}/repos/${repo.owner}/${repo.name}/releases/${release.id}`;
  return json(201, renderRelease(context, repo, release), { location });
};

const update: HostingRoute = async (context) => {
  const repo = pushableRepoOf(context);
  const release = releaseOf(context, repo);
  const body = await context.body();
  const text = (field: string) => stringField('Release', body, field);
  const tagName = text('tag_name');
  if (tagName !== undefined) {
    checkTag(repo, tagName, release);
    release.tagName = tagName;
  }
  release.targetCommitish = text('target_commitish') ?? release.targetCommitish;
  release.name = text('name') ?? release.name;
  release.body = text('body') ?? release.body;
  release.prerelease = booleanField('Release', body, 'prerelease') ?? release.prerelease;
  const draft = booleanField('Release', body, 'draft');
  if (draft !== undefined && draft !== release.draft) {
    release.draft = draft;
    release.publishedAt = draft ? null : context.clock.iso();
  }
  return json(200, renderRelease(context, repo, release));
};

const remove: HostingRoute = (context) => {
  const repo = pushableRepoOf(context);
  repo.releases.splice(repo.releases.indexOf(releaseOf(context, repo)), 1);
  return empty(204);
};

const listAssets: HostingRoute = (context) => {
  const repo = repoOf(context);
  const release = releaseOf(context, repo);
  return paged(context, release.assets, (asset) => renderAsset(context, repo, release, asset));
};

const getAsset: HostingRoute = (context) => {
  const repo = repoOf(context);
  const [release, asset] = assetOf(context, repo);
  if (context.accept !== 'application/octet-stream') {
    return json(200, renderAsset(context, repo, release, asset));
  }
  asset.downloads += 1;
  return bytes(200, asset.contentType, new Uint8Array(asset.bytes));
};

const updateAsset: HostingRoute = async (context) => {
  const repo = pushableRepoOf(context);
  const [release, asset] = assetOf(context, repo);
  const body = await context.body();
  asset.name = stringField('ReleaseAsset', body, 'name') ?? asset.name;
  asset.label = stringField('ReleaseAsset', body, 'label') ?? asset.label;
  asset.updatedAt = context.clock.iso();
  return json(200, renderAsset(context, repo, release, asset));
};

const removeAsset: HostingRoute = (context) => {
  const repo = pushableRepoOf(context);
  const [release, asset] = assetOf(context, repo);
  release.assets.splice(release.assets.indexOf(asset), 1);
  return empty(204);
};

const upload: HostingRoute = async (context) => {
  const repo = pushableRepoOf(context);
  const account = callerOf(context);
  const release = releaseOf(context, repo);
  const name = context.query.get('name') ?? '';
  const resource = 'ReleaseAsset';
  if (name === '') throw invalid({ resource, field: 'name', code: 'missing_field' });
  if (release.assets.some((asset) => asset.name === name)) {
    throw invalid({ resource, field: 'name', code: 'already_exists' });
  }
  const now = context.clock.iso();
  const asset: Asset = {
    id: context.state.nextId(),
    name,
    label: context.query.get('label'),
    contentType: context.request.headers.get('content-type') ?? 'application/octet-stream',
    bytes: Buffer.from(await context.request.arrayBuffer()),
    downloads: 0,
    login: account.login,
    createdAt: now,
    updatedAt: now,
  };
  release.assets.push(asset);
  const location = `${context.api}/repos/${repo.owner}/${repo.name}/releases/assets/${asset.id}`;
  return json(201, renderAsset(context, repo, release, asset), { location });
};

/** Releases and their assets. */
export function addReleases(router: Router<HostingRoute>): void {
  const base = '/repos/:owner/:repo/releases';
  router.add(`GET ${base}`, list);
  router.add(`GET ${base}/latest`, latest);
  router.add(`GET ${base}/tags/*tag`, byTag);
  router.add(`GET ${base}/:id`, get);
  router.add(`POST ${base}`, create);
  router.add(`PATCH ${base}/:id`, update);
  router.add(`DELETE ${base}/:id`, remove);
  router.add(`GET ${base}/:id/assets`, listAssets);
  router.add(`GET ${base}/assets/:id`, getAsset);
  router.add(`PATCH ${base}/assets/:id`, updateAsset);
  router.add(`DELETE ${base}/assets/:id`, removeAsset);
}

/** The upload host: its own address in the contract, a path of the same one here. */
export function addUploads(router: Router<HostingRoute>): void {
  router.add('POST /repos/:owner/:repo/releases/:id/assets', upload);
}
