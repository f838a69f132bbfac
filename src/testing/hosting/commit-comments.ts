import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { checkScopes, mayPush, requireCaller, requireRepo, withId, writeScopes } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { emit } from './events.js';
import { requiredField, stringField, wholeNumberField } from './fields.js';
import { findCommit } from './git.js';
import { paged } from './paging.js';
import type { CommentRecord } from './records/comment.js';
import type { Repo } from './records/repository.js';
import { notFound, unprocessable } from './refusals.js';
import { renderUser } from './render.js';

const resource = 'CommitComment';

type Variant = 'raw' | 'text' | 'html' | 'full';

/**
 * Returns the requested variant: `application/vnd.<vendor>[.v3].commitcomment.<variant>+json`, or
 * `application/vnd.<vendor>-commitcomment.<variant>+json` from newer clients. Default: raw.
 */
function chooseVariant(context: HostingContext): Variant {
  const prefix = `application/vnd.${context.vendor}`;
  const rest = context.accept.slice(prefix.length);
  if (!context.accept.startsWith(prefix) || !/^(?:-commitcomment)?\./.test(rest)) return 'raw';
  const last = rest.replace('+json', '').split('.').at(-1);
  return last === 'text' || last === 'html' || last === 'full' ? last : 'raw';
}

function plain(markdown: string): string {
  return markdown.replace(/[*_`]/g, '');
}

function html(markdown: string): string {
  const escaped = markdown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<p>${escaped.replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')}</p>`;
}

/** Renders a text in the requested variant. */
function renderBody(variant: Variant, body: string): object {
  const text = { body_text: plain(body) };
  const markup = { body_html: html(body) };
  return { raw: { body }, text, html: markup, full: { body, ...text, ...markup } }[variant];
}

function render(context: HostingContext, repo: Repo, comment: CommentRecord): object {
  const full = `${repo.owner}/${repo.name}`;
  return {
    url: `${context.api}/repos/${full}/comments/${comment.id}`,
    html_url: `${context.origin}/${full}/commit/${comment.sha}#commitcomment-${comment.id}`,
    id: comment.id,
    user: renderUser(context, comment.login),
    position: comment.position,
    line: comment.line,
    path: comment.path,
    commit_id: comment.sha,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    ...renderBody(chooseVariant(context), comment.body),
  };
}

/** Returns a comment that the caller wrote, or that is in a repository to which the caller can push. */
function requireChangeable(context: HostingContext): [Repo, CommentRecord] {
  const repo = requireRepo(context);
  const { login } = requireCaller(context);
  checkScopes(context, ...writeScopes(repo));
  const comment = withId(context, repo.comments);
  if (comment.login !== login && !mayPush(context, repo)) throw notFound();
  return [repo, comment];
}

/** Whether a commit exists. Heads of pull requests are commits of the base repository too. */
function isCommit(repo: Repo, sha: string): boolean {
  return repo.commits.has(sha) || repo.pulls.some(({ head }) => head.sha === sha);
}

const list: HostingRoute = (context) => {
  const repo = requireRepo(context);
  const comments = repo.comments.toSorted((a, b) => a.id - b.id);
  return paged(context, comments, (comment) => render(context, repo, comment));
};

const listForCommit: HostingRoute = (context) => {
  const repo = requireRepo(context);
  const ref = context.param('ref');
  const sha = findCommit(repo, ref)?.sha ?? ref;
  if (!isCommit(repo, sha)) throw notFound();
  const comments = repo.comments.filter((comment) => comment.sha === sha);
  return paged(context, comments, (comment) => render(context, repo, comment));
};

const create: HostingRoute = async (context) => {
  const repo = requireRepo(context);
  const { login } = requireCaller(context);
  checkScopes(context, ...writeScopes(repo));
  const input = await context.body();
  const sha = context.param('ref');
  if (!isCommit(repo, sha)) throw unprocessable(`No commit found for SHA: ${sha}`);
  const body = requiredField(resource, input, 'body');
  const comment = context.world.addComment(repo, body, {
    sha,
    login,
    path: stringField(resource, input, 'path'),
    position: wholeNumberField(resource, input, 'position'),
    line: wholeNumberField(resource, input, 'line'),
  });
  const location = `${context.api}/repos/${repo.owner}/${repo.name}/comments/${comment.id}`;
  const rendered = render(context, repo, comment);
  emit(context, repo, 'commit_comment', { action: 'created', comment: rendered });
  return json(201, rendered, { location });
};

const get: HostingRoute = (context) => {
  const repo = requireRepo(context);
  return json(200, render(context, repo, withId(context, repo.comments)));
};

const update: HostingRoute = async (context) => {
  const [repo, comment] = requireChangeable(context);
  comment.body = requiredField(resource, await context.body(), 'body');
  comment.updatedAt = context.clock.iso();
  return json(200, render(context, repo, comment));
};

const remove: HostingRoute = (context) => {
  const [repo, comment] = requireChangeable(context);
  repo.comments.splice(repo.comments.indexOf(comment), 1);
  return empty(204);
};

export function addCommitComments(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/comments', list);
  router.add('GET /repos/:owner/:repo/commits/*ref/comments', listForCommit);
  router.add('POST /repos/:owner/:repo/commits/*ref/comments', create);
  router.add('GET /repos/:owner/:repo/comments/:id', get);
  router.add('PATCH /repos/:owner/:repo/comments/:id', update);
  router.add('DELETE /repos/:owner/:repo/comments/:id', remove);
}
