import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  HostingClient,
  type Method,
  NotFoundError,
  RedirectError,
  UnexpectedStatusError,
  UnprocessableError,
} from '../../src/index.js';
import { token } from '../contract/case.js';
import { hostingCalls, type RecordedBody } from './hosting-operations.js';
import {
  formatTitle,
  loadRecordings,
  type Recording,
  recordingsAvailable,
  recordingsNote,
} from './recordings.js';

// Repeats every recorded hosting request through the client in strict mode.

const recordings = [
  ...loadRecordings('hosting-and-console.ndjson'),
  ...loadRecordings('faults.ndjson'),
].filter(({ operation }) => operation?.startsWith('console.') !== true);

const cases = recordings.map((recording, index) => ({
  title: `${formatTitle(recording)} @${index}`,
  recording,
}));

/** Expected error class for each status. */
const classes = {
  302: RedirectError,
  401: AuthenticationError,
  404: NotFoundError,
  405: UnexpectedStatusError,
  422: UnprocessableError,
};

const framing = /^(?:transfer-encoding|content-length|content-encoding|connection|link|status)$/i;

function getBody({ request }: Recording): RecordedBody {
  return JSON.parse(request.body ?? '{}');
}

/** Returns the recorded path below the API's prefix. */
function getPath({ request }: Recording): string {
  return new URL(request.url).pathname.replace(/^\/api\/v3/, '');
}

function sendRequest(client: HostingClient, recording: Recording): PromiseLike<unknown> {
  const { operation, params, request } = recording;
  if (operation === null) {
    // `as`: recordings contain only methods that triforge sends.
    const method = request.method as Method;
    // Responses to HEAD have no body, and redirects may have no body.
    return client.request(`${method} ${getPath(recording)}`, {}, { responseType: 'bytes' });
  }
  const call = hostingCalls[operation];
  if (!call) throw new Error(`no call for the recorded operation ${operation}`);
  return call(client, params, getBody(recording), recording);
}

describe.skipIf(!recordingsAvailable)(
  `HostingClient with recorded responses, in strict mode (${recordingsNote})`,
  () => {
    let server: Server;
    let client: HostingClient;
    let recording: Recording;
    let requests: string;

    beforeAll(async () => {
      server = createServer((request, response) => {
        request.resume();
        requests = `${request.method} ${new URL(request.url ?? '', 'http://server').pathname}`;
        const { status, headers, body } = recording.response;
        // The server sends one page without links, because the linked pages were not recorded.
        const kept = Object.entries(headers).filter(([name]) => !framing.test(name));
        response.writeHead(status, Object.fromEntries(kept));
        response.end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      // `as`: the address of a TCP server is an AddressInfo.
      const { port } = server.address() as AddressInfo;
      client = new HostingClient({
        baseUrl: `http://127.0.0.1:${port}/api/v3`,
        vendor: 'github',
        auth: token,
        validation: 'strict',
        retry: false,
        maxRedirects: 0,
      });
    });

    afterAll(async () => {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
    });

    test('recordings cover every hosting operation', () => {
      const seen = new Set(recordings.map(({ operation }) => operation ?? 'other'));
      expect(seen).toEqual(new Set([...Object.keys(hostingCalls), 'other']));
      expect(recordings.length).toBeGreaterThan(250);
    });

    test.each(cases.map((each) => [each.title, each] as const))(
      'returns the recorded data or throws the matching error for %s',
      async (_title, { recording: each }) => {
        recording = each;
        const { status, body } = each.response;
        const check = each.operation?.endsWith('.check') === true;
        if (check) {
          await expect(sendRequest(client, each)).resolves.toBe(status === 204);
        } else if (status < 300) {
          const raw = body === '' ? undefined : body;
          const expected = each.json === true ? JSON.parse(body) : raw;
          await expect(sendRequest(client, each)).resolves.toEqual(expected);
        } else {
          const wanted = Object.entries(classes).find(([known]) => Number(known) === status);
          if (!wanted) throw new Error(`no error class for the status ${status}`);
          const error: unknown = await Promise.resolve(sendRequest(client, each)).then(
            () => 'it resolved',
            (reason) => reason,
          );
          expect(error).toBeInstanceOf(wanted[1]);
          expect(String(error)).not.toContain(token.token);
          if (each.json === true) expect(error).toMatchObject({ status, body: JSON.parse(body) });
        }
        expect(decodeURI(requests)).toBe(
          `${each.request.method} /api/v3${decodeURI(getPath(each))}`,
        );
      },
    );
  },
);
