import { createHash } from 'node:crypto';
import { isHeaderText } from '../checks.js';
import { createRedirect, createReply, empty, HttpError, json, type Reply } from '../reply.js';
import {
  inPushableRepo,
  inRepo,
  mayPush,
  numberParam,
  openRepo,
  requireCaller,
  requirePushableRepo,
  withId,
} from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { type Collection, created, crud, paged, removeFrom } from './crud.js';
import { emit } from './events.js';
import { type Body, booleanField, filledField, readFields, stringField } from './fields.js';
import { findCommit } from './git.js';
import type { Asset, ReleaseRecord } from './records/release.js';
import type { Repo } from './records/repository.js';
import { found, invalid, notFound } from './refusals.js';
import { renderAsset, renderRelease } from './render.js';

/** Returns the releases that the caller can see, newest first. Drafts require push access. */
function visibleReleases(context: HostingContext, repo: Repo): ReleaseRecord[] {
  const drafts = mayPush(context, repo);
  return repo.releases.filter((release) => drafts || !release.draft).reverse();
}

/** Returns the `:id` release. @throws {HttpError} 404 if there is none. */
function requireRelease(context: HostingContext, repo: Repo): ReleaseRecord {
  return withId(context, visibleReleases(context, repo));
}

const resource = 'Release';

const releaseFields = {
  tagName: filledField,
  targetCommitish: stringField,
  name: stringField,
  body: stringField,
  draft: booleanField,
  prerelease: booleanField,
};

/**
 * Reads the fields of a release. This function is synchronous so that simultaneous requests can't
 * take the same tag.
 * @throws {HttpError} 422 if a field is invalid.
 */
function parseInput(body: Body, repo: Repo, self?: ReleaseRecord) {
  const input = readFields(resource, body, releaseFields);
  // Clients such as hub send an empty string for the default branch.
  if (input.targetCommitish === '') input.targetCommitish = repo.defaultBranch;
  const { tagName = self?.tagName, targetCommitish: target } = input;
  if (tagName === undefined) throw invalid(resource, 'tag_name', 'missing_field');
  if (repo.releases.some((release) => release !== self && release.tagName === tagName)) {
    throw invalid(resource, 'tag_name', 'already_exists');
  }
  // If the tag exists, the target is ignored.
  if (target !== undefined && !repo.refs.has(`tags/${tagName}`) && !findCommit(repo, target)) {
    throw invalid(resource, 'target_commitish', 'invalid');
  }
  return { ...input, tagName };
}

/** Creates a published release's tag and sends the `release` event. */
function publishRelease(context: HostingContext, repo: Repo, release: ReleaseRecord): void {
  const name = `tags/${release.tagName}`;
  const sha = findCommit(repo, release.targetCommitish)?.sha;
  if (!repo.refs.has(name) && sha !== undefined) context.world.addRef(repo, name, sha);
  const payload = { action: 'published', release: renderRelease(context, repo, release) };
  emit(context, repo, 'release', payload);
}

const releases: Collection<Repo, ReleaseRecord> = {
  open: openRepo,
  list: visibleReleases,
  render: renderRelease,
  create(context, repo, body) {
    const { tagName, ...input } = parseInput(body, repo);
    const { login } = requireCaller(context);
    const release = context.world.addRelease(repo, tagName, { ...input, login });
    if (!release.draft) publishRelease(context, repo, release);
    return release;
  },
  update(context, repo, release, body) {
    const input = parseInput(body, repo, release);
    const wasDraft = release.draft;
    Object.assign(release, input);
    if (release.draft === wasDraft) return;
    release.publishedAt = release.draft ? null : context.clock.iso();
    if (!release.draft) publishRelease(context, repo, release);
  },
  remove: (_, repo, release) => removeFrom(repo.releases, release),
};

const base = '/repos/:owner/:repo/releases';

export const releaseRoutes: HostingRoutes = {
  [`GET ${base}/latest`]: inRepo((context, repo) => {
    const release = found(
      visibleReleases(context, repo).find((each) => !each.draft && !each.prerelease),
    );
    return json(200, renderRelease(context, repo, release));
  }),

  [`GET ${base}/tags/*tag`]: inRepo((context, repo) => {
    const tag = context.param('tag');
    const release = found(repo.releases.find((each) => !each.draft && each.tagName === tag));
    return json(200, renderRelease(context, repo, release));
  }),

  ...crud(base, releases),
};

const assetResource = 'ReleaseAsset';
/**
 * Maximum size of a stored asset in bytes. Larger assets are only measured and hashed while they
 * arrive.
 */
const keptBytes = 16 * 1024 * 1024;

function requireAsset(context: HostingContext, repo: Repo): [ReleaseRecord, Asset] {
  const id = numberParam(context, 'id');
  for (const release of visibleReleases(context, repo)) {
    const asset = release.assets.find((each) => each.id === id);
    if (asset) return [release, asset];
  }
  throw notFound();
}

/**
 * Responds with the content or the requested range (RFC 9110, section 14). Ignores requests for
 * multiple ranges.
 */
export function serveAsset(request: Request, asset: Asset): Reply {
  if (!asset.content) {
    const message =
      'The emulator stores assets of up to 16 MiB. For this larger asset, it stored only the size and hash.';
    throw new HttpError(json(410, { message, size: asset.size, sha256: asset.sha256 }));
  }
  asset.downloads += 1;
  const { buffer, byteOffset, length } = asset.content;
  // `as`: no other thread shares the memory. Doesn't copy the bytes, because copies for many slow
  // readers could exhaust memory.
  const content = new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  const { contentType, name, sha256 } = asset;
  const etag = `"${sha256}"`;
  // An uploaded page or SVG must not run scripts on the emulator's origin.
  const fields = {
    'content-disposition': attachment(name),
    'x-content-type-options': 'nosniff',
    etag,
    'accept-ranges': 'bytes',
  };
  const condition = request.headers.get('if-range');
  const requested = /^bytes=(\d*)-(\d*)$/i.exec(request.headers.get('range') ?? '');
  const serves = request.method === 'GET' && (condition === null || condition === etag);
  const [, from = '', to = ''] = requested ?? [];
  // A range that ends before it starts is invalid, so it is ignored.
  const isRange = from === '' ? to !== '' : to === '' || Number(to) >= Number(from);
  if (!serves || !isRange) return createReply(200, contentType, content, fields);
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (first > last) {
    return createReply(416, contentType, '', { ...fields, 'content-range': `bytes */${length}` });
  }
  const range = `bytes ${first}-${last}/${length}`;
  const part = content.subarray(first, last + 1);
  return createReply(206, contentType, part, { ...fields, 'content-range': range });
}

/** Returns a `Content-Disposition` that makes browsers save a file (RFC 6266). */
export function attachment(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed());
  return encoded === name
    ? `attachment; filename=${name}`
    : `attachment; filename*=UTF-8''${encoded}`;
}

function checkAssetName(release: ReleaseRecord, name: string, self?: Asset): void {
  if (name === '') throw invalid(assetResource, 'name', 'missing_field');
  if (release.assets.some((asset) => asset !== self && asset.name === name)) {
    throw invalid(assetResource, 'name', 'already_exists');
  }
}

/**
 * Measures and hashes a body while it arrives. Keeps the content if the body has at most 16 MiB.
 */
async function receive(request: Request): Promise<Pick<Asset, 'size' | 'sha256' | 'content'>> {
  const hash = createHash('sha256');
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    hash.update(piece);
    size += piece.byteLength;
    if (size <= keptBytes) pieces.push(piece);
    else pieces.length = 0;
  }
  const content = size <= keptBytes ? Buffer.concat(pieces) : undefined;
  return { size, sha256: hash.digest('hex'), content };
}

export const assetRoutes: HostingRoutes = {
  [`GET ${base}/:id/assets`]: inRepo((context, repo) => {
    const release = requireRelease(context, repo);
    return paged(context, release.assets, (asset) => renderAsset(context, repo, release, asset));
  }),

  [`GET ${base}/assets/:id`]: inRepo((context, repo) => {
    const [release, asset] = requireAsset(context, repo);
    if (context.accept !== 'application/octet-stream') {
      return json(200, renderAsset(context, repo, release, asset));
    }
    if (context.service.assetOrigin === undefined) return serveAsset(context.request, asset);
    const path = `/assets/${repo.owner}/${repo.name}/${asset.id}`;
    return createRedirect(302, new URL(path, context.service.assetOrigin).href);
  }),

  [`PATCH ${base}/assets/:id`]: inPushableRepo(async (context, repo) => {
    requireAsset(context, repo);
    const input = readFields(assetResource, await context.body(), {
      name: filledField,
      label: stringField,
    });
    const [release, asset] = requireAsset(context, requirePushableRepo(context));
    if (input.name !== undefined) checkAssetName(release, input.name, asset);
    Object.assign(asset, input, { updatedAt: context.clock.iso() });
    return json(200, renderAsset(context, repo, release, asset));
  }),

  [`DELETE ${base}/assets/:id`]: inPushableRepo((context, repo) => {
    const [release, asset] = requireAsset(context, repo);
    removeFrom(release.assets, asset);
    return empty(204);
  }),
};

export const uploadRoutes: HostingRoutes = {
  'POST /repos/:owner/:repo/releases/:id/assets': inPushableRepo(async (context, repo) => {
    const { login } = requireCaller(context);
    const release = requireRelease(context, repo);
    const name = context.query.get('name') ?? '';
    checkAssetName(release, name);
    const contentType = context.request.headers.get('content-type') ?? '';
    if (contentType === '') throw invalid(assetResource, 'content_type', 'missing_field');
    if (!isHeaderText(contentType)) throw invalid(assetResource, 'content_type', 'invalid');
    const label = context.query.get('label');
    const received = await receive(context.request);
    // Checks again, because other requests may have deleted the release or taken the name in the meantime.
    requireRelease(context, requirePushableRepo(context));
    checkAssetName(release, name);
    const asset = context.world.addAsset(release, name, { label, contentType, login, ...received });
    return created(renderAsset(context, repo, release, asset));
  }),
};

/** Download routes that asset requests redirect to, and that responses link to. */
export const assetDownloadRoutes: HostingRoutes = {
  /** Serves the asset at a `browser_download_url`. */
  'GET /:owner/:repo/releases/download/*file': inRepo((context, repo) => {
    // Tags can contain slashes.
    const [, tag, name] = /^(.+)\/([^/]+)$/s.exec(context.param('file')) ?? [];
    const release = repo.releases.find((each) => !each.draft && each.tagName === tag);
    const asset = found(release?.assets.find((each) => each.name === name));
    return serveAsset(context.request, asset);
  }),

  /**
   * Serves an asset in place of the file store that downloads redirect to. Like a real store,
   * rejects requests with credentials.
   */
  'GET /assets/:owner/:repo/:id': (context) => {
    if (context.request.headers.has('authorization') || context.query.has('access_token')) {
      throw new HttpError(json(400, { message: 'Only one auth mechanism allowed' }));
    }
    const repo = context.state.repo(context.param('owner'), context.param('repo'));
    const assets = repo?.releases.flatMap((release) => release.assets) ?? [];
    return serveAsset(context.request, withId(context, assets));
  },
};
