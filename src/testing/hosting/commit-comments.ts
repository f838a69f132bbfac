import { inRepo, mayPush, requireRepo, requireWriter, withId } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { type Collection, created, crud, paged, type Rendered, removeFrom } from './crud.js';
import { emit } from './events.js';
import { readFields, requiredField, stringField, wholeNumberField } from './fields.js';
import { findCommit } from './git.js';
import type { CommentRecord, Repo } from './records/repository.js';
import { notFound, unprocessable } from './refusals.js';
import { renderUser, repoUrl, webUrl } from './render.js';

const resource = 'CommitComment';

type Variant = 'raw' | 'text' | 'html' | 'full';

/**
 * Returns the variant that `Accept` requests, as in
 * `application/vnd.<vendor>[.v3].commitcomment.<variant>+json`, or
 * `application/vnd.<vendor>-commitcomment.<variant>+json` from newer clients. Default: raw.
 */
function chooseVariant(context: HostingContext): Variant {
  const prefix = `application/vnd.${context.service.vendor}`;
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

/** Renders a comment's text in the requested variant. */
function renderBody(variant: Variant, body: string): object {
  const text = { body_text: plain(body) };
  const markup = { body_html: html(body) };
  return { raw: { body }, text, html: markup, full: { body, ...text, ...markup } }[variant];
}

function renderComment(context: HostingContext, repo: Repo, comment: CommentRecord): Rendered {
  return {
    url: `${repoUrl(context, repo)}/comments/${comment.id}`,
    html_url: `${webUrl(context, repo)}/commit/${comment.sha}#commitcomment-${comment.id}`,
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

/**
 * Returns whether a commit exists. A pull request's head also counts as a commit of the base
 * repository.
 */
function isCommit(repo: Repo, sha: string): boolean {
  return repo.commits.has(sha) || repo.pulls.some(({ head }) => head.sha === sha);
}

const comments: Collection<Repo, CommentRecord> = {
  open(context, action) {
    const repo = requireRepo(context);
    if (action !== 'read') requireWriter(context, repo);
    return repo;
  },
  list: (_, repo) => repo.comments.toSorted((a, b) => a.id - b.id),
  find(context, repo, action) {
    const comment = withId(context, repo.comments);
    const own = comment.login === context.caller.account?.login;
    if (action !== 'read' && !own && !mayPush(context, repo)) throw notFound();
    return comment;
  },
  render: renderComment,
  update(context, _, comment, body) {
    comment.body = requiredField(resource, body, 'body');
    comment.updatedAt = context.clock.iso();
  },
  remove: (_, repo, comment) => removeFrom(repo.comments, comment),
};

const commentFields = {
  body: requiredField,
  path: stringField,
  position: wholeNumberField,
  line: wholeNumberField,
};

export const commentRoutes: HostingRoutes = {
  ...crud('/repos/:owner/:repo/comments', comments),
  'GET /repos/:owner/:repo/commits/*ref/comments': inRepo((context, repo) => {
    const ref = context.param('ref');
    const sha = findCommit(repo, ref)?.sha ?? ref;
    if (!isCommit(repo, sha)) throw notFound();
    const comments = repo.comments.filter((comment) => comment.sha === sha);
    return paged(context, comments, (comment) => renderComment(context, repo, comment));
  }),

  'POST /repos/:owner/:repo/commits/*ref/comments': inRepo(async (context, repo) => {
    const { login } = requireWriter(context, repo);
    const input = await context.body();
    const sha = context.param('ref');
    if (!isCommit(repo, sha)) throw unprocessable(`No commit found for SHA: ${sha}`);
    const { body, ...place } = readFields(resource, input, commentFields);
    const comment = context.world.addComment(repo, body, { ...place, sha, login });
    const rendered = renderComment(context, repo, comment);
    emit(context, repo, 'commit_comment', { action: 'created', comment: rendered });
    return created(rendered);
  }),
};
