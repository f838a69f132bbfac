import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { callerOf, mayPush, pushableRepoOf, repoOf, withId } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { emit } from './events.js';
import { booleanField, requiredField, stringField } from './fields.js';
import { commitOf } from './git.js';
import { paged } from './paging.js';
import { invalid, notFound } from './refusals.js';
import { renderRelease } from './render.js';
import type { ReleaseRecord, Repo } from './repo-state.js';

/** Releases that the caller sees, newest first: drafts need push access. */
export function visibleReleases(context: HostingContext, repo: Repo): ReleaseRecord[] {
  const drafts = mayPush(context, repo);
  return repo.releases.filter((release) => drafts || !release.draft).reverse();
}

/** The release of `:id`. @throws {Refused} 404 */
export function releaseOf(context: HostingContext, repo: Repo): ReleaseRecord {
  return withId(context, visibleReleases(context, repo));
}

function checkTag(repo: Repo, tag: string, self?: ReleaseRecord): void {
  if (repo.releases.some((release) => release !== self && release.tagName === tag)) {
    throw invalid('Release', 'tag_name', 'already_exists');
  }
}

const list: HostingRoute = (context) => {
  const repo = repoOf(context);
  return paged(context, visibleReleases(context, repo), (release) =>
    renderRelease(context, repo, release),
  );
};

const get: HostingRoute = (context) => {
  const repo = repoOf(context);
  return json(200, renderRelease(context, repo, releaseOf(context, repo)));
};

const latest: HostingRoute = (context) => {
  const repo = repoOf(context);
  const release = visibleReleases(context, repo).find((each) => !each.draft && !each.prerelease);
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

/** A published release has its tag, and tells so. */
function publish(context: HostingContext, repo: Repo, release: ReleaseRecord): void {
  const name = `tags/${release.tagName}`;
  const sha = commitOf(repo, release.targetCommitish)?.sha;
  if (!repo.refs.has(name) && sha !== undefined) context.world.addRef(repo, name, sha);
  const payload = { action: 'published', release: renderRelease(context, repo, release) };
  emit(context, repo, 'release', payload);
}

const create: HostingRoute = async (context) => {
  const repo = pushableRepoOf(context);
  const account = callerOf(context);
  const body = await context.body();
  const tagName = requiredField('Release', body, 'tag_name');
  checkTag(repo, tagName);
  const draft = booleanField('Release', body, 'draft') ?? false;
  const release = context.world.addRelease(repo, tagName, {
    targetCommitish: stringField('Release', body, 'target_commitish'),
    name: stringField('Release', body, 'name'),
    body: stringField('Release', body, 'body'),
    draft,
    prerelease: booleanField('Release', body, 'prerelease'),
    login: account.login,
  });
  if (!draft) publish(context, repo, release);
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
    if (!draft) publish(context, repo, release);
  }
  return json(200, renderRelease(context, repo, release));
};

const remove: HostingRoute = (context) => {
  const repo = pushableRepoOf(context);
  repo.releases.splice(repo.releases.indexOf(releaseOf(context, repo)), 1);
  return empty(204);
};

export function addReleases(router: Router<HostingRoute>): void {
  const base = '/repos/:owner/:repo/releases';
  router.add(`GET ${base}`, list);
  router.add(`GET ${base}/latest`, latest);
  router.add(`GET ${base}/tags/*tag`, byTag);
  router.add(`GET ${base}/:id`, get);
  router.add(`POST ${base}`, create);
  router.add(`PATCH ${base}/:id`, update);
  router.add(`DELETE ${base}/:id`, remove);
}
