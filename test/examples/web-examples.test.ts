import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { serve } from '../browser/program.js';
import { signDelivery } from '../support/sign-delivery.js';
import { runExample } from './run-example.js';

/** Starts an example that serves HTTP on a free port. @returns Its URL. */
async function served(name: string, env: Readonly<Record<string, string>>): Promise<string> {
  const program = join(inject('programs'), 'examples', `${name}.js`);
  const { url, stop } = await serve([program], { ...env, PORT: '0' });
  onTestFinished(stop);
  return url;
}

test.each(['oauth-express', 'oauth-fastify', 'oauth-hono'])(
  '%s signs in only users who approve',
  async (name) => {
    const emulator = createEmulator();
    onTestFinished(() => emulator.close());
    const { webUrl, hostingUrl } = await emulator.listen();
    const url = await served(name, {
      TRIFORGE_OAUTH_AUTH_URL: webUrl,
      TRIFORGE_BASE_URL: hostingUrl,
      TRIFORGE_OAUTH_CLIENT_ID: seeded.clientId,
      TRIFORGE_OAUTH_CLIENT_SECRET: seeded.clientSecret,
    });
    /**
     * Logs in as a browser does: follows links, submits the decision and calls the callback URL.
     */
    const logIn = async (decision: string, forgery = {}) => {
      const login = await fetch(`${url}/login`, { redirect: 'manual' });
      const sent = login.headers.get('set-cookie') ?? '';
      expect(sent).toMatch(/; HttpOnly; SameSite=Lax/i);
      const cookie = sent.split(';', 1)[0] ?? '';
      const { origin, pathname, searchParams } = new URL(login.headers.get('location') ?? '');
      const fields = { ...Object.fromEntries(searchParams), ...forgery, decision };
      const body = new URLSearchParams(fields);
      const decided = await fetch(origin + pathname, { method: 'POST', body, redirect: 'manual' });
      const back = decided.headers.get('location') ?? '';
      const response = await fetch(back, { headers: { cookie } });
      return `${response.status} ${await response.text()}`;
    };
    expect(await (await fetch(url)).text()).toContain('href="/login"');
    expect(await logIn('approve')).toMatch(
      /^200 Signed in: mona\nGranted: user, public_repo\nMissing: nothing\nStarred: \w/,
    );
    expect(await logIn('deny')).toMatch(/^403 .*access_denied/);
    expect(await logIn('approve', { state: 'of somebody else' })).toMatch(/^403 .*forged/);
    const exchanges = emulator.requests.filter(({ path }) => path.includes('access_token'));
    expect(exchanges, 'no exchange for the denied or forged callback').toHaveLength(1);
  },
);

test.each(['webhooks-express', 'webhooks-fastify', 'webhooks-hono'])(
  '%s responds with 202 only to signed deliveries',
  async (name) => {
    const secret = 'a secret of at least 20 characters';
    const url = `${await served(name, { HOOK_SECRET: secret })}/hooks`;
    const post = async (delivery: { headers: Readonly<Record<string, string>>; body: string }) =>
      (await fetch(url, { method: 'POST', ...delivery })).status;
    const payload = { ref: 'refs/heads/main', sender: { login: 'mona' } };
    const push = signDelivery({ event: 'push', payload, secret });
    expect([await post(push), await post(push)]).toEqual([202, 202]);
    expect(await post(signDelivery({ event: 'push', payload, secret: 'guessed' }))).toBe(401);
    expect(await post({ ...push, body: `${push.body} ` }), 'a changed body').toBe(401);
    const sent = await runExample('send-test-delivery', { HOOK_SECRET: secret }, [url]);
    expect(sent.stdout, sent.stderr).toMatch(/^202 /);
  },
);
