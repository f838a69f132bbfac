import { sha1 } from '../random.js';
import { createReply, json } from '../reply.js';
import { inRepo, mayPush, requireRepo, requireWriter, withId } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { type Collection, created, crud, paged, type Rendered, removeFrom } from './crud.js';
import { emit } from './events.js';
import { readFields, requiredField, stringField, wholeNumberField } from './fields.js';
import { findCommit, findMergeBase } from './git.js';
import type { Pull } from './records/pull.js';
import type { CommentRecord, Repo } from './records/repository.js';
import type { CommitRecord, TreeEntry } from './records/tree.js';
import { found, notFound, unprocessable } from './refusals.js';
import { emailOf, renderUser, repoUrl, webUrl } from './render.js';

/** Change to one file. */
export interface ChangedFile {
  readonly path: string;
  /** Previous text. Undefined if the file didn't exist, null if it isn't text. */
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
}

/** Changes in a repository's commit, or in a pull request's fictitious head commit. */
export interface Change extends Omit<CommitRecord, 'tree'> {
  readonly changes: readonly ChangedFile[];
}

/** Returns fictitious changes for a pull request whose branches the emulator doesn't have. */
export function pullChanges(pull: Pull): ChangedFile[] {
  return Array.from({ length: 1 + (pull.number % 5) }, (_, index) => ({
    path: `src/file-${index}.ts`,
    before: 'export const part = 0;\n',
    after: `export const part = ${pull.number};\nexport const file = ${index};\nexport default part;\n`,
  }));
}

/** Returns the changes between two trees, sorted by path. */
export function treeChanges(
  before: ReadonlyMap<string, TreeEntry>,
  after: ReadonlyMap<string, TreeEntry>,
): ChangedFile[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => (a < b ? -1 : 1));
  return paths.flatMap((path) => {
    const [old, now] = [before.get(path), after.get(path)];
    return old?.sha === now?.sha
      ? []
      : [{ path, before: decodeFileText(old), after: decodeFileText(now) }];
  });
}

function decodeFileText(entry: TreeEntry | undefined): string | null | undefined {
  if (entry?.kind === 'symlink') return entry.target;
  if (entry?.kind === 'submodule') return `Subproject commit ${entry.sha}\n`;
  return entry?.bytes.includes(0) ? null : entry?.bytes.toString();
}

/** Renders one file of a diff as the API lists it. */
export function renderChange(change: ChangedFile): object {
  const { path: filename, before, after } = change;
  const { added, removed, text } = computeHunk(change);
  const status = before === undefined ? 'added' : after === undefined ? 'removed' : 'modified';
  return {
    sha: sha1(filename, after ?? ''),
    filename,
    status,
    additions: added,
    deletions: removed,
    changes: added + removed,
    ...(text !== undefined && { patch: text.trimEnd() }),
  };
}

/** Formats changes as `git diff` does. */
export function formatDiff(changes: readonly ChangedFile[]): string {
  return changes
    .map((change) => {
      const { path, before, after } = change;
      const { text } = computeHunk(change);
      const word = before === undefined ? 'new' : after === undefined && 'deleted';
      const mode = word ? `${word} file mode 100644\n` : '';
      const [old, now] = [before ?? '', after ?? ''].map((each) => sha1(each).slice(0, 7));
      const names = [
        before === undefined ? '/dev/null' : `a/${path}`,
        after === undefined ? '/dev/null' : `b/${path}`,
      ];
      const body =
        text === undefined
          ? `Binary files ${names.join(' and ')} differ\n`
          : text && `--- ${names[0]}\n+++ ${names[1]}\n${text}`;
      return `diff --git a/${path} b/${path}\n${mode}index ${old}..${now}${mode ? '' : ' 100644'}\n${body}`;
    })
    .join('');
}

/** Formats a commit as `git format-patch` does, without statistics. */
export function formatPatch({ changes, ...head }: Change): string {
  const [subject = '', ...rest] = head.message.split('\n');
  return `From ${head.sha} Mon Sep 17 00:00:00 2001
From: ${head.login} <${emailOf(head.login)}>
Date: ${new Date(head.date).toUTCString().replace('GMT', '+0000')}
Subject: [PATCH] ${subject}
${rest.join('\n')}
---

${formatDiff(changes)}`;
}

const textFormat = /^application\/vnd\.\w+(?:\.\w+)?\.(diff|patch)(?:\+json)?$/;

/**
 * Responds with a pull request as text if `Accept` requests it, as in
 * `application/vnd.<vendor>[.v3].diff` or `.patch`.
 */
export function respondWithText({ accept }: HostingContext, repo: Repo, pull: Pull) {
  const [, format] = textFormat.exec(accept) ?? [];
  if (format === undefined) return undefined;
  const change = changeOfPull(repo, pull);
  const text = format === 'diff' ? formatDiff(change.changes) : formatPatch(change);
  return createReply(200, `${accept.replace('+json', '')}; charset=utf-8`, text);
}

const surrounding = 3;

/**
 * Returns all differences as one hunk. The text is empty if no line differs, and undefined if either
 * side isn't text.
 */
function computeHunk({ before, after }: ChangedFile) {
  if (before === null || after === null) return { added: 0, removed: 0, text: undefined };
  const [old, now] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < old.length && old[start] === now[start]) start++;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end++;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length + added.length === 0) return { added: 0, removed: 0, text: '' };
  const above = old.slice(Math.max(0, start - surrounding), start);
  const below = old.slice(old.length - end, old.length - end + surrounding);
  const around = above.length + below.length;
  const range = (count: number) => `${count === 0 ? 0 : start - above.length + 1},${count}`;
  const lines = [
    `@@ -${range(removed.length + around)} +${range(added.length + around)} @@`,
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ];
  return { added: added.length, removed: removed.length, text: `${lines.join('\n')}\n` };
}

/** Splits text into lines. Marks the last line if it has no line ending. */
function splitLines(text: string | undefined): string[] {
  if (!text) return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}\n\\ No newline at end of file`];
}

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

/** Undocumented route for a single commit. */
export const commitRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/commits/*sha': inRepo((context, repo) => {
    const change = found(findChange(repo, context.param('sha')));
    const files = change.changes.map(renderChange);
    return json(200, { ...renderCommit(context, repo, change), files });
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
 * Returns whether a commit exists. A pull request's head is also treated as a commit of the base
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
