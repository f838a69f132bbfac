import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { OAuthWebFlow } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const headers = { 'X-Gateway-Key': 'hush-gateway-99', 'X-Team': 'rockets' };
const sent = { 'x-gateway-key': 'hush-gateway-99', 'x-team': 'rockets' };

describe('the headers option', () => {
  test('the client sends its configured headers with every request, unless a call overrides them', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    const hosting = createClient(server, { headers });
    await hosting.request('GET x');
    await hosting.request('GET x', {}, { headers: { 'x-team': 'planes', 'x-more': '1' } });
    await hosting.paginate('GET x').toArray();
    const shared = { baseUrl: server.origin, headers };
    await using support = new SupportClient({ ...shared, auth: { accessToken: 'hush-support' } });
    await support.request('GET /x');
    await using appliance = new ConsoleClient({ ...shared, auth: { licenseMd5: '0'.repeat(32) } });
    await appliance.request('GET x');
    const application = { clientId: '0'.repeat(20), clientSecret: '1'.repeat(40) };
    const flow = new OAuthWebFlow({ authUrl: server.origin, headers, ...application });
    onTestFinished(() => flow.close());
    await rejectionOf(flow.exchangeCode({ code: 'hush-code' }));
    expect(server.requests.map((each) => each.headers)).toMatchObject([
      sent,
      { ...sent, 'x-team': 'planes', 'x-more': '1' },
      sent,
      sent,
      sent,
      sent,
    ]);
  });

  test('the client sends its configured headers only to trusted origins', async () => {
    const foreign = await serve((_request, response) => sendJson(response, []));
    const server = await serve((_request, response) =>
      response.writeHead(302, { location: `${foreign.origin}/y` }).end(),
    );
    await createClient(server, { headers }).request('GET x');
    await createClient(server, { headers, trustedOrigins: [foreign.origin] }).request('GET x');
    expect(foreign.requests[0]?.headers).not.toHaveProperty('x-gateway-key');
    expect(foreign.requests[0]?.headers).not.toHaveProperty('x-team');
    expect(foreign.requests[1]?.headers).toMatchObject(sent);
  });

  test("the client masks its own and the call's secret headers in errors", async () => {
    const server = await serve(({ headers: received }, response) =>
      sendJson(
        response,
        { message: `no: ${received['x-gateway-key']} ${received['x-token']}` },
        400,
      ),
    );
    const own = { headers: { 'x-token': 'hush-of-one-call' } };
    const hosting = createClient(server, { headers });
    for (const send of [
      () => hosting.request('GET x', {}, own),
      () => hosting.pulls.get({ owner: 'a', repo: 'b', number: 1 }, own),
    ]) {
      const error = await rejectionOf(send());
      expect(String(error)).toContain('no: *** ***');
      expect(inspect(error, { depth: 9 })).not.toContain('hush-');
    }
  });
});

test('the API versions v3 and beta appear in the media type of the Accept header', async () => {
  const server = await serve((_request, response) => sendJson(response, []));
  for (const apiVersion of ['v3', 'beta'] as const) {
    await createClient(server, { apiVersion }).request('GET x');
  }
  expect(server.requests.map(({ headers: { accept } }) => accept)).toEqual([
    'application/vnd.service.v3+json',
    'application/vnd.service.beta+json',
  ]);
});

describe('dated API versions', () => {
  test('the client sends a dated API version as X-GitHub-Api-Version, not in the media type', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    const options = { vendor: 'github', apiVersion: '2022-11-28' } as const;
    const hosting = createClient(server, options);
    const place = { owner: 'a', repo: 'b' };
    await hosting.pulls.list(place).toArray();
    await hosting.commitComments.list({ ...place, mediaType: 'html' }).toArray();
    await hosting.request('GET x', {}, { headers: { 'X-GitHub-Api-Version': '2026-03-10' } });
    expect(server.requests.map((each) => each.headers)).toMatchObject([
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
      { accept: 'application/vnd.github-commitcomment.html+json' },
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2026-03-10' },
    ]);
  });

  test('the emulator accepts requests with a dated API version', async () => {
    const emulator = createEmulator();
    const { owner, repo, token } = seeded;
    const hosting = createClient(
      { origin: 'https://code.test' },
      {
        apiVersion: '2022-11-28',
        auth: { type: 'token', token },
        dispatcher: emulator.dispatcher(),
      },
    );
    const [pull] = await hosting.pulls.list({ owner, repo, state: 'all' }).toArray();
    expect(pull).toHaveProperty('number');
    const readme = await hosting.contents.getReadme({ owner, repo });
    expect(readme).toHaveProperty('content');
  });
});
