import { describe, expect, it } from 'vitest';
import { contentBytes, contentText, HostingClient } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { serve } from '../support/server.js';

/** Creates clients for a server that responds to every request with `reply`. */
async function createClients(reply: unknown) {
  const server = await serve((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply));
  });
  const auth = { type: 'basic', username: 'mona', password: 'secret' } as const;
  return {
    hosting: new HostingClient({ baseUrl: `${server.origin}/`, auth }),
    support: new SupportClient({ baseUrl: `${server.origin}/`, auth: { accessToken: 'token' } }),
  };
}

const repo = { owner: 'o', repo: 'r' };
const time = '2015-02-20T16:32:51Z';
const user = { login: 'mona', id: 1, avatar_url: null, url: 'u' };

const release = {
  ...{ url: 'u', html_url: 'h', assets_url: 'a', upload_url: 'u{?name}', id: 1, tag_name: 'v1' },
  ...{ target_commitish: null, name: null, body: null, draft: true, prerelease: false },
  ...{ created_at: time, published_at: null, author: user },
  assets: [
    {
      ...{
        url: 'u',
        id: 1,
        name: 'a',
        label: null,
        state: 'uploaded',
        content_type: null,
        size: 0,
      },
      ...{ download_count: 0, created_at: time, updated_at: time, uploader: null },
    },
  ],
};

const comment = {
  ...{ html_url: 'h', url: 'u', id: 1, body: null, path: null, position: null, line: null },
  ...{ commit_id: 's', user: null, created_at: time, updated_at: time },
};

const links = { self: 's', git: 'g', html: 'h' };
const entry = { type: 'file', size: 0, name: 'a', path: 'a', sha: 's', _links: links };
const file = { ...entry, encoding: 'base64', content: null };

const person = { name: null, email: null, date: time };
const written = {
  content: entry,
  commit: {
    ...{ sha: 's', url: 'u', html_url: null, author: person, committer: person, message: null },
    ...{ tree: { url: 'u', sha: 's' }, parents: [] },
  },
};

const authorization = {
  ...{ id: 1, url: 'u', scopes: [], token: 't', note: null, note_url: null },
  ...{ app: { url: null, name: 'n', client_id: 'c' }, created_at: time, updated_at: time },
};

const summary = { url: 'u', name: 'n', id: 1 };
const organization = { login: 'o', id: 1, url: 'u', avatar_url: null };

type Clients = Awaited<ReturnType<typeof createClients>>;

const responses: readonly {
  readonly name: string;
  readonly reply: unknown;
  readonly call: (clients: Clients) => PromiseLike<unknown>;
}[] = [
  {
    name: 'a release',
    reply: release,
    call: ({ hosting }) =>
      hosting.releases.create({ ...repo, tag_name: 'v1', target_commitish: '' }),
  },
  {
    name: 'a commit comment',
    reply: comment,
    call: ({ hosting }) => hosting.commitComments.create({ ...repo, sha: 's', body: '' }),
  },
  {
    name: 'a file',
    reply: file,
    call: ({ hosting }) => hosting.contents.get({ ...repo, path: 'a' }),
  },
  {
    name: "a file's commit",
    reply: written,
    call: ({ hosting }) =>
      hosting.contents.create({ ...repo, path: 'a', message: '', content: { text: '' } }),
  },
  {
    name: 'an authorization',
    reply: authorization,
    call: ({ hosting }) => hosting.authorizations.create({ note: '' }),
  },
  {
    name: "a team's organization",
    reply: { ...summary, permission: null, members_count: 0, repos_count: 0, organization },
    call: ({ hosting }) => hosting.teams.get({ id: 1 }),
  },
];

describe('blank response fields', () => {
  it.each(responses.map((each) => [each.name, each] as const))(
    'the client accepts null fields in %s',
    async (_name, { reply, call }) => {
      expect(await call(await createClients(reply))).toEqual(reply);
    },
  );

  it('the client decodes null content to zero bytes', async () => {
    const { hosting } = await createClients(file);
    const readme = await hosting.contents.getReadme(repo);
    expect(contentBytes(readme)).toHaveLength(0);
    expect(contentText(readme)).toBe('');
  });

  it('the client accepts null as the total of a search', async () => {
    const { support } = await createClients({ success: true, total: null, items: [{ id: 1 }] });
    expect(await support.cases.search().first()).toEqual({ id: 1 });
    expect(await support.contacts.search().first()).toEqual({ id: 1 });
  });
});

it('teams.create() accepts a response that contains only a team summary', async () => {
  const { hosting } = await createClients(summary);
  expect(await hosting.teams.create({ org: 'o', name: 'n' })).toEqual(summary);
});
