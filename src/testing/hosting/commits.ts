import { sha1 } from '../random.js';
import { createReply, json, type Reply } from '../reply.js';
import { hasAccess, inRepo, mayPush, requireRepo, requireWriter, withId } from './access.js';
import type { HostingContext, HostingRoute, HostingRoutes } from './context.js';
import { type Collection, created, crud, paged, type Rendered, removeFrom } from './crud.js';
import {
  type Change,
  formatDiff,
  formatPatch,
  pullChanges,
  renderChange,
  treeChanges,
} from './diffs.js';
import { emit } from './events.js';
import { readFields, requiredField, stringField, wholeNumberField } from './fields.js';
import { findCommit, findMergeBase } from './git.js';
import type { Pull } from './records/pull.js';
import type { CommentRecord, Repo } from './records/repository.js';
import { found, notFound, unprocessable } from './refusals.js';
import { emailOf, renderUser, repoUrl, webUrl } from './render.js';

function findChange(repo: Repo, ref: string): Change | undefined {
  const commit = findCommit(repo, ref);
  if (commit) {
    const parent = repo.commits.get(commit.parents[0] ?? '');
    return { ...commit, changes: treeChanges(parent?.tree ?? new Map(), commit.tree) };
  }
  const pull = repo.pulls.find(({ head }) => head.sha === ref);
  return pull && changeOfPull(repo, pull);
}

/**
 * Returns a pull request's changes. The changes are fictitious if the repository doesn't contain
 * the commits.
 */
export function changeOfPull(repo: Repo, pull: Pull): Change {
  const { login, createdAt: date, title: message, base, head } = pull;
  const before = findMergeBase(repo, base.sha, head.sha) ?? repo.commits.get(base.sha);
  const after = repo.commits.get(head.sha);
  const changes = before && after ? treeChanges(before.tree, after.tree) : pullChanges(pull);
  return { sha: head.sha, login, date, message, parents: [base.sha], changes };
}

/** Renders a commit for a list. The service doesn't document this format. */
export function renderCommit(context: HostingContext, repo: Repo, commit: Change): object {
  const api = repoUrl(context, repo);
  const { sha, login, message, parents } = commit;
  const person = { name: login, email: emailOf(login), date: commit.date };
  const tree = sha1('tree', sha);
  const url = `${api}/commits/${sha}`;
  return {
    sha,
    commit: {
      author: person,
      committer: person,
      message,
      tree: { sha: tree, url: `${api}/git/trees/${tree}` },
      url: `${api}/git/commits/${sha}`,
      comment_count: repo.comments.filter((comment) => comment.sha === sha).length,
    },
    url,
    html_url: `${webUrl(context, repo)}/commit/${sha}`,
    comments_url: `${url}/comments`,
    author: renderUser(context, login),
    committer: renderUser(context, login),
    parents: parents.map((parent) => ({ sha: parent, url: `${api}/commits/${parent}` })),
  };
}

const formats = ['diff', 'patch'] as const;

const textFormat = /^application\/vnd\.\w+(?:\.\w+)?\.(diff|patch)(?:\+json)?$/;

/**
 * Returns the format that `Accept` requests, as in `application/vnd.<vendor>[.v3].diff` or
 * `.patch`.
 */
export function chooseTextFormat({ accept }: HostingContext): 'diff' | 'patch' | undefined {
  const [, name] = textFormat.exec(accept) ?? [];
  return formats.find((format) => format === name);
}

/** Responds with a diff or patch. @param type the requested media type, or `text/plain` for web pages. */
export function respondWithText(format: 'diff' | 'patch', change: Change, type: string): Reply {
  const text = format === 'diff' ? formatDiff(change.changes) : formatPatch(change);
  return createReply(200, `${type.replace('+json', '')}; charset=utf-8`, text);
}

/**
 * Creates a route for the web page at a `diff_url` or `patch_url`. Pages of public repositories
 * don't require a token.
 */
const page =
  (find: (repo: Repo, name: string) => Change | undefined): HostingRoute =>
  (context) => {
    const file = context.param('file');
    const format = formats.find((each) => file.endsWith(`.${each}`));
    const repo = context.state.repo(context.param('owner'), context.param('repo'));
    const visible = repo && hasAccess(context, repo, 'pull');
    const change = visible && format && find(repo, file.slice(0, -1 - format.length));
    if (!change) throw notFound();
    return respondWithText(format, change, 'text/plain');
  };

/** Undocumented route for a single commit. */
export const commitRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/commits/*sha': inRepo((context, repo) => {
    const change = found(findChange(repo, context.param('sha')));
    const format = chooseTextFormat(context);
    if (format) return respondWithText(format, change, context.accept);
    const files = change.changes.map(renderChange);
    return json(200, { ...renderCommit(context, repo, change), files });
  }),
};

/** Routes for the plain text at `diff_url` and `patch_url`. */
export const diffPageRoutes: HostingRoutes = {
  'GET /:owner/:repo/commit/:file': page(findChange),
  'GET /:owner/:repo/pull/:file': page((repo, number) => {
    const pull = repo.pulls.find((each) => String(each.number) === number);
    return pull && changeOfPull(repo, pull);
  }),
};

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
