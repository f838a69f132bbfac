import { json } from '../reply.js';
import { mayPush, openRepo, requireCaller, requireRepo, withId } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { type Collection, crud, removeFrom } from './crud.js';
import { emit } from './events.js';
import { type Body, booleanField, filledField, readFields, stringField } from './fields.js';
import { findCommit } from './git.js';
import type { ReleaseRecord } from './records/release.js';
import type { Repo } from './records/repository.js';
import { invalid, notFound } from './refusals.js';
import { renderRelease } from './render.js';

/** Returns the releases that the caller can see, newest first. Drafts require push access. */
export function visibleReleases(context: HostingContext, repo: Repo): ReleaseRecord[] {
  const drafts = mayPush(context, repo);
  return repo.releases.filter((release) => drafts || !release.draft).reverse();
}

/** Returns the `:id` release. @throws {HttpError} 404 if there is none. */
export function requireRelease(context: HostingContext, repo: Repo): ReleaseRecord {
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
  [`GET ${base}/latest`]: (context) => {
    const repo = requireRepo(context);
    const release = visibleReleases(context, repo).find((each) => !each.draft && !each.prerelease);
    if (!release) throw notFound();
    return json(200, renderRelease(context, repo, release));
  },

  [`GET ${base}/tags/*tag`]: (context) => {
    const repo = requireRepo(context);
    const tag = context.param('tag');
    const release = repo.releases.find((each) => !each.draft && each.tagName === tag);
    if (!release) throw notFound();
    return json(200, renderRelease(context, repo, release));
  },

  ...crud(base, releases),
};
