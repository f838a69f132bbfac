import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../src/doctor/differences.js';
import { callEndpoints } from '../../src/doctor/endpoints.js';
import { examine } from '../../src/doctor/index.js';
import { Samples } from '../../src/doctor/samples.js';
import { InvalidRequestError, ResponseShapeError } from '../../src/index.js';
import { rejectionOf } from '../support/client.js';
import { type Handler, sendJson, serve } from '../support/server.js';
import { failWith, request } from '../unit/console/wait-script.js';

const ignored = () => undefined;

/** Serves a hosting API's rate limit. `rest` handles all other requests. */
async function serving(rest: Handler) {
  return await serve((request, response, index) =>
    request.url === '/api/v3/rate_limit' ? sendJson(response, {}) : rest(request, response, index),
  );
}

const notFound: Handler = (_request, response) => sendJson(response, { message: 'no' }, 404);

const hostingAt = ({ origin }: { readonly origin: string }) => ({ baseUrl: `${origin}/api/v3/` });

describe('callEndpoints()', () => {
  it('callEndpoints() reports the outcome "works" if the call to an endpoint succeeds', async () => {
    const readings = [{ operation: 'emojis.get', call: async () => ({}) }];
    expect(await callEndpoints(readings, new Samples(), ignored)).toEqual([
      { operation: 'emojis.get', outcome: 'works', differences: [] },
    ]);
  });

  it('callEndpoints() destroys an archive stream without reading it to the end', async () => {
    const archive = new Readable({ read: ignored });
    const readings = [{ operation: 'contents.getArchive', call: async () => archive }];
    await callEndpoints(readings, new Samples(), ignored);
    expect(archive.destroyed).toBe(true);
  });

  it('callEndpoints() names the missing input of an untried endpoint', async () => {
    const call = async () => {
      throw new InvalidRequestError('pulls.get: number: expected an input', { field: 'number' });
    };
    const reports = await callEndpoints([{ operation: 'pulls.get', call }], new Samples(), ignored);
    expect(reports).toEqual([
      expect.objectContaining({ outcome: 'untried', detail: expect.stringContaining('number') }),
    ]);
  });

  it("callEndpoints() rethrows errors that don't come from a client", async () => {
    const broken = new TypeError('a fault of our own');
    const call = () => Promise.reject(broken);
    const pending = callEndpoints([{ operation: 'emojis.get', call }], new Samples(), ignored);
    expect(await rejectionOf(pending)).toBe(broken);
  });
});

describe('endpoint check', () => {
  it.each([
    [401, 'rejected', '401'],
    [403, 'rejected', '403'],
    [404, 'absent', '404'],
    [410, 'fails', 'the server responded with 410'],
  ])(
    'examine() reports the response status %i as the outcome "%s"',
    async (status, outcome, detail) => {
      const server = await serving((_request, response) => sendJson(response, {}, status));
      const { families } = await examine({ hosting: hostingAt(server), repository: 'o/r' });
      expect(families[0]?.endpoints).toContainEqual({
        operation: 'pulls.list',
        outcome,
        detail,
        differences: [],
      });
    },
  );

  it("examine() reports a failure if an endpoint doesn't respond in time", async () => {
    const server = await serving((request, response, index) =>
      request.url.startsWith('/api/v3/repos/o/r/pulls')
        ? undefined
        : notFound(request, response, index),
    );
    const options = { hosting: hostingAt(server), repository: 'o/r', timeout: 500 };
    const { families } = await examine(options);
    expect(families[0]?.endpoints).toContainEqual({
      operation: 'pulls.list',
      outcome: 'fails',
      detail: expect.stringMatching(/in time.*headers|in time.*total/),
      differences: [],
    });
  });

  it('examine() skips an endpoint that requires a different type of credentials', async () => {
    const server = await serving(notFound);
    const auth = { type: 'token', token: 't'.repeat(40) } as const;
    const { families } = await examine({ hosting: { ...hostingAt(server), auth } });
    expect(families[0]?.endpoints).toContainEqual({
      operation: 'authorizations.list',
      outcome: 'untried',
      detail: expect.stringContaining('credentials'),
      differences: [],
    });
  });
});

describe('repository selection', () => {
  it("examine() prefers the user's own repository to a starred repository", async () => {
    const server = await serving((request, response, index) => {
      if (/^\/api\/v3\/user\/repos(\?|$)/.test(request.url))
        return sendJson(response, [{ full_name: 'me/own' }]);
      if (request.url.startsWith('/api/v3/user/starred'))
        return sendJson(response, [{ full_name: 'you/starred' }]);
      return notFound(request, response, index);
    });
    await examine({ hosting: hostingAt(server) });
    expect(server.log).toContainEqual(
      expect.stringMatching(/^GET \/api\/v3\/repos\/me\/own\/pulls/),
    );
    expect(server.log).not.toContainEqual(expect.stringContaining('you/starred'));
  });

  it('examine() ignores a repository whose full name has no owner', async () => {
    const server = await serving((request, response, index) =>
      request.url.startsWith('/api/v3/user/starred')
        ? sendJson(response, [{ full_name: 'rocket' }])
        : notFound(request, response, index),
    );
    await examine({ hosting: hostingAt(server) });
    expect(server.log).not.toContainEqual(expect.stringContaining('/repos/rocket'));
  });

  it.each([
    [{ default_branch: 'trunk' }, 'trunk'],
    [{ default_branch: null }, 'master'],
    [{}, 'master'],
  ])(
    'examine() interprets %j as a repository with the default branch %s',
    async (repository, branch) => {
      const server = await serving((request, response, index) =>
        request.url === '/api/v3/repos/o/r'
          ? sendJson(response, repository)
          : notFound(request, response, index),
      );
      await examine({ hosting: hostingAt(server), repository: 'o/r' });
      expect(server.log).toContain(`GET /api/v3/repos/o/r/tarball/${branch}`);
    },
  );
});

it('examine() closes all its connections', async () => {
  const server = await serving(notFound);
  await examine({ hosting: hostingAt(server), repository: 'o/r' });
  await expect.poll(() => server.open(), { timeout: 1000 }).toBe(0);
});

describe('Samples', () => {
  it('Samples.learnFrom() takes inputs from list items and ignores null', () => {
    const samples = new Samples();
    samples.learnFrom('releases.list', { id: 7, tag_name: null });
    expect(samples.of('releases.get', 'id')).toBe(7);
    expect(samples.isListed('releases.get', 'tag')).toBe(false);
  });

  it("Samples.learnFrom() removes only the first refs/ from a reference's name", () => {
    const samples = new Samples();
    samples.learnFrom('gitRefs.list', { ref: 'refs/heads/refs/x' });
    expect(samples.of('gitRefs.get', 'ref')).toBe('heads/refs/x');
  });
});

it.each([
  ['Invalid input: expected string, received number', 'string', 'number'],
  ['expected an array, got a number', 'array', 'number'],
  ['expected a string, received an object', 'string', 'object'],
  ['Unrecognized key', 'Unrecognized key', 'something else'],
])("findDifferences() converts '%s' to { expected: '%s', got: '%s' }", (message, expected, got) => {
  const { response } = failWith(200);
  const issues = [{ message, path: ['a', 0, 'b'] }];
  const error = new ResponseShapeError('', { request, issues, data: {}, response });
  expect(findDifferences(error)).toEqual([{ path: 'a[].b', expected, got }]);
});
