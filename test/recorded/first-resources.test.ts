import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { heldFields, replaced, wrongValues } from '../contract/tree.js';
import { findModel } from './hosting-operations.js';
import {
  formatTitle,
  loadRecordings,
  type Recording,
  recordingsAvailable,
  recordingsNote,
} from './recordings.js';

// Reads recorded responses for pulls, releases, contents and starring through the client.

type Params = Readonly<Record<string, string>>;
type Send = (client: HostingClient, params: Params, recording: Recording) => Promise<unknown>;

const getRepo = ({ owner = '', repo = '' }: Params) => ({ owner, repo });
const getId = (params: Params) => ({ ...getRepo(params), id: Number(params.id) });

function sent(recording: Recording): Record<string, never> {
  return JSON.parse(recording.request.body ?? '{}');
}

const calls: Readonly<Record<string, Send>> = {
  'pulls.list': (client, params) => client.pulls.list(getRepo(params)).toArray({ limit: 1000 }),
  'pulls.get': (client, params) =>
    client.pulls.get({ ...getRepo(params), number: Number(params.number) }),
  'releases.list': (client, params) => client.releases.list(getRepo(params)).toArray(),
  'releases.get': (client, params) => client.releases.get(getId(params)),
  'releases.create': (client, params, recording) =>
    client.releases.create({ ...getRepo(params), ...sent(recording), tag_name: 'v1' }),
  'releases.update': (client, params) => client.releases.update(getId(params)),
  'contents.get': async (client, { path = '', ...params }, recording) => {
    const place = { ...getRepo(params), path };
    if (recording.json === true) return await client.contents.get(place);
    return await text(await client.contents.getRaw(place));
  },
  'contents.readme': (client, params) => client.contents.getReadme(getRepo(params)),
  'contents.create': (client, { path = '', ...params }) =>
    client.contents.create({ ...getRepo(params), path, message: 'm', content: { text: 'h' } }),
  'contents.update': (client, { path = '', ...params }) =>
    client.contents.update({
      ...getRepo(params),
      path,
      message: 'm',
      content: { text: 'h' },
      sha: 's',
    }),
  'stars.check': (client, params) => client.starring.isStarred(getRepo(params)),
  'stars.star': (client, params) => client.starring.star(getRepo(params)),
  'stars.unstar': (client, params) => client.starring.unstar(getRepo(params)),
  'stars.stargazers': (client, params) => client.starring.listStargazers(getRepo(params)).toArray(),
  'stars.listMine': (client) => client.starring.listStarred().toArray(),
  'stars.listForUser': (client, { username = '' }) =>
    client.starring.listStarredBy({ username }).toArray(),
};

function isOurs(recording: Recording): boolean {
  return recording.operation !== null && recording.operation in calls;
}

const cases = [...loadRecordings('hosting-and-console.ndjson'), ...loadRecordings('faults.ndjson')]
  .filter(isOurs)
  .map((recording) => ({ title: formatTitle(recording), recording }));

const framing = /^(?:transfer-encoding|content-length|content-encoding|connection|link)$/i;

describe.skipIf(!recordingsAvailable)(
  `HostingClient with recorded responses for four resources (${recordingsNote})`,
  () => {
    let server: Server;
    let client: HostingClient;
    let body: unknown;
    let recording: Recording;

    beforeAll(async () => {
      server = createServer((request, response) => {
        request.resume();
        const headers = Object.entries(recording.response.headers);
        // The server sends one page without links, because the linked pages were not recorded.
        response.writeHead(
          recording.response.status,
          Object.fromEntries(headers.filter(([name]) => !framing.test(name))),
        );
        response.end(body === undefined ? recording.response.body : JSON.stringify(body));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      // `as`: the address of a TCP server is an AddressInfo.
      const { port } = server.address() as AddressInfo;
      client = new HostingClient({
        baseUrl: `http://127.0.0.1:${port}/api/v3`,
        vendor: 'github',
        auth: { type: 'token', token: 'token' },
        validation: 'strict',
        retry: false,
        rateLimit: { onLimit: 'wait' },
      });
    });

    afterAll(async () => {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    });

    function send(each: Recording, replacement?: unknown): Promise<unknown> {
      recording = each;
      body = replacement;
      const call = calls[each.operation ?? ''];
      if (!call) throw new Error(`no call for ${each.operation}`);
      return call(client, each.params, each);
    }

    test('recordings cover every operation of four resources', () => {
      const seen = new Set(cases.map((each) => each.recording.operation));
      expect(seen).toEqual(new Set(Object.keys(calls)));
    });

    test.each(cases.map((each) => [each.title, each] as const))(
      'returns the recorded data or throws the matching error for %s',
      async (_title, { recording: each }) => {
        const { status } = each.response;
        if (each.operation === 'stars.check') {
          await expect(send(each)).resolves.toBe(status === 204);
        } else if (status >= 400) {
          const code = { 404: 'not_found', 422: 'unprocessable', 401: 'authentication' }[status];
          const message = JSON.parse(each.response.body).message;
          await expect(send(each)).rejects.toMatchObject({ code, status, body: { message } });
        } else {
          const { body: recorded } = each.response;
          const raw = recorded === '' ? undefined : recorded;
          const expected = each.json === true ? JSON.parse(recorded) : raw;
          await expect(send(each)).resolves.toEqual(expected);
        }
      },
    );

    test.each(
      cases
        .filter((each) => findModel(each.recording) !== undefined)
        .map((each) => [each.title, each] as const),
    )(
      'reports the path of each field with a wrong type in the response for %s',
      async (_title, { recording: each }) => {
        const response = findModel(each);
        const original: unknown = JSON.parse(each.response.body);
        if (!response) throw new Error('this recording has no model');
        const item: unknown = response.list && Array.isArray(original) ? original[0] : original;
        const prefix = response.list ? [0] : [];
        for (const { path, leaf } of heldFields(response.tree, item)) {
          const whole = [...prefix, ...path];
          const [wrong] = wrongValues(leaf);
          await expect(
            send(each, replaced(original, whole, wrong)),
            whole.join('.'),
          ).rejects.toMatchObject({
            code: 'response_shape',
            issues: [{ path: whole }],
          });
        }
      },
    );
  },
);
