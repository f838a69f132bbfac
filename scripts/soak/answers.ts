import { createHash } from 'node:crypto';
import { nameOf } from './protocol.js';

/** An answer as it should go out. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const time = '2013-01-09T22:32:41Z';
const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e';

/** An answer of JSON; undefined is an answer without a body. */
export function answer(
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  if (value === undefined) return { status, headers, body: Buffer.alloc(0) };
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** What is there has a validator; whoever names it has that answer already, and gets a 304. */
export function conditional(made: Answer, known: string | undefined): Answer {
  if (made.status !== 200 || made.body.length === 0) return made;
  const etag = `"${createHash('sha1').update(made.body).digest('hex')}"`;
  const headers = { ...made.headers, etag };
  return known === etag ? { status: 304, headers, body: Buffer.alloc(0) } : { ...made, headers };
}

/** The bytes of the file of an operation: a length and a content of its own. */
export function fileOf(operation: number): Buffer {
  const size = 1_000 + ((operation * 7919) % 60_000);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + operation) & 0xff;
  return bytes;
}

export function pull(operation: number, origin: string, title: string): unknown {
  const name = nameOf(operation);
  const url = `${origin}/api/v3/repos/soak/${name}/pulls/1`;
  const branch = { label: 'soak:topic', ref: 'topic', sha, user: null, repo: null };
  const link = { href: url };
  return {
    url,
    html_url: `${origin}/soak/${name}/pull/1`,
    diff_url: `${origin}/soak/${name}/pull/1.diff`,
    patch_url: `${origin}/soak/${name}/pull/1.patch`,
    issue_url: `${origin}/soak/${name}/issues/1`,
    number: 1,
    state: 'open',
    title,
    body: null,
    created_at: time,
    updated_at: time,
    closed_at: null,
    merged_at: null,
    head: branch,
    base: branch,
    _links: { self: link, html: link, comments: link, review_comments: link },
    user: null,
  };
}

export function release(operation: number, origin: string): unknown {
  const url = `${origin}/api/v3/repos/soak/${nameOf(operation)}/releases/1`;
  return {
    url,
    html_url: url,
    assets_url: `${url}/assets`,
    upload_url: `${origin}/uploads/${nameOf(operation)}/assets{?name,label}`,
    id: 1,
    tag_name: nameOf(operation),
    target_commitish: 'main',
    name: nameOf(operation),
    body: null,
    draft: false,
    prerelease: false,
    created_at: time,
    published_at: null,
    assets: [],
  };
}

export function asset(operation: number, origin: string, size: number): unknown {
  return {
    url: `${origin}/api/v3/repos/soak/${nameOf(operation)}/releases/assets/1`,
    id: 1,
    name: nameOf(operation),
    label: null,
    state: 'uploaded',
    content_type: 'application/zip',
    size,
    download_count: 0,
    created_at: time,
    updated_at: time,
  };
}

/** @param version shows as the number of members: what changes between two reads. */
export function team(operation: number, origin: string, version = 0): unknown {
  return {
    url: `${origin}/api/v3/teams/${operation}`,
    name: nameOf(operation),
    id: operation,
    permission: 'pull',
    members_count: version,
    repos_count: 0,
  };
}

export function reference(operation: number, origin: string): unknown {
  const url = `${origin}/api/v3/repos/soak/${nameOf(operation)}/git/refs/heads/topic`;
  return { ref: 'refs/heads/topic', url, object: { type: 'commit', sha, url } };
}

export function comment(operation: number, origin: string): unknown {
  const url = `${origin}/api/v3/repos/soak/${nameOf(operation)}/comments/1`;
  return {
    html_url: url,
    url,
    id: 1,
    path: null,
    position: null,
    line: null,
    commit_id: sha,
    user: null,
    body: nameOf(operation),
    created_at: time,
    updated_at: time,
  };
}

export function fileCommit(operation: number, origin: string): unknown {
  const url = `${origin}/api/v3/repos/soak/${nameOf(operation)}/git/commits/${sha}`;
  const actor = { name: 'Soak', email: 'soak@example.com', date: time };
  return {
    content: null,
    commit: {
      sha,
      url,
      html_url: url,
      author: actor,
      committer: actor,
      message: nameOf(operation),
      tree: { url, sha },
      parents: [],
    },
  };
}

export function merged(): unknown {
  return { sha, merged: true, message: 'Pull Request successfully merged' };
}
