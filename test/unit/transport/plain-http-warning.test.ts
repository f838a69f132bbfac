import { describe, expect, it } from 'vitest';
import {
  HostingClient,
  type HostingClientOptions,
  OAuthWebFlow,
} from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { AnsweringDispatcher } from './dispatch/answering-dispatcher.js';
import { recordChannel } from './recorded-events.js';

const token = 'tok-5ecret';
const auth = { type: 'token', token } as const;

/** Creates a log that collects warnings. */
function warningLog() {
  const warnings: string[] = [];
  const ignore = () => undefined;
  const warn = (line: string) => warnings.push(line);
  return { warnings, log: { debug: ignore, info: ignore, error: ignore, warn } };
}

/** Creates a client and collects its warnings. */
function collectWarnings(baseUrl: string, options: Partial<HostingClientOptions> = {}) {
  const { warnings, log } = warningLog();
  const dispatcher = new AnsweringDispatcher(() => ({ body: '[]' }));
  const client = new HostingClient({ baseUrl, dispatcher, log, auth, ...options });
  return { client, warnings };
}

describe('the plain HTTP warning', () => {
  it.each(['http://code.example.com/api/v3', 'http://10.1.2.3', 'http://localhost.example.com'])(
    'appears once for credentials sent to %s',
    async (baseUrl) => {
      const events = recordChannel('triforge:plain-http');
      const { client, warnings } = collectWarnings(baseUrl);
      for (let count = 0; count < 3; count++) await client.request('GET /x');
      await client
        .withAuth({ type: 'basic', username: 'jo', password: 'pa55word' })
        .request('GET /x');
      const { origin } = new URL(baseUrl);
      expect(warnings).toEqual([
        `the credentials are sent to ${origin} unencrypted, and anyone on the network path can read them. Use https.`,
      ]);
      expect(events).toEqual([{ origin }]);
    },
  );

  it.each([
    ['localhost', 'http://localhost:8080', {}],
    ['a subdomain of localhost', 'http://api.localhost:8080', {}],
    ['the loopback address', 'http://127.1.2.3', {}],
    ['the IPv6 loopback address', 'http://[::1]:8080', {}],
    ['requests over HTTPS', 'https://code.example.com', {}],
    ['requests without credentials', 'http://code.example.com', { auth: undefined }],
  ])('never appears for %s', async (_name, baseUrl, options) => {
    const { client, warnings } = collectWarnings(baseUrl, options);
    await client.request('GET /x');
    expect(warnings).toEqual([]);
  });

  it('appears for credentials sent to a trusted HTTP origin', async () => {
    const options = { trustedOrigins: ['http://uploads.example.com', 'http://other.example.com'] };
    const { client, warnings } = collectWarnings('http://127.0.0.1', options);
    await client.request('GET /x');
    expect(warnings).toEqual([]);
    await client.request('GET http://uploads.example.com/y');
    await client.request('GET http://strangers.example.com/y');
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('http://uploads.example.com');
  });

  it("appears for a password in a call's input", async () => {
    const dispatcher = new AnsweringDispatcher(() => ({ status: 401, body: '{}' }));
    const baseUrl = 'http://code.example.com';
    const support = warningLog();
    const supportAuth = { userName: 'jo', apiKey: 'an-api-key', password: 'pa55word' };
    const client = new SupportClient({ baseUrl, auth: supportAuth, dispatcher, log: support.log });
    await client.me().catch(() => undefined);
    expect(support.warnings).toHaveLength(1);
    const hosting = collectWarnings(baseUrl, { auth: undefined });
    await hosting.client.request('POST /x', { password: 'pa55word' });
    expect(hosting.warnings).toHaveLength(1);
  });

  it('appears for the client secret of an OAuth flow', async () => {
    const { warnings, log } = warningLog();
    const body = JSON.stringify({ access_token: 'x', token_type: 'bearer', scope: '' });
    const flow = new OAuthWebFlow({
      authUrl: 'http://code.example.com',
      clientId: 'c'.repeat(20),
      clientSecret: 's'.repeat(40),
      dispatcher: new AnsweringDispatcher(() => ({ body })),
      log,
    });
    await flow.exchangeCode({ code: 'a-code' });
    expect(warnings).toHaveLength(1);
  });
});
