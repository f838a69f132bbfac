import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { OAuthWebFlow } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve } from '../../support/server.js';

const secret = `pl4n"t<e>d&'é Key/+=%1`;
const percent = encodeURIComponent(secret);

/** The secret in every form that SECURITY.md lists. */
const forms: Readonly<Record<string, string>> = {
  unchanged: secret,
  'percent-encoded': percent,
  'percent-encoded with lowercase digits': percent.replace(/%../g, (each) => each.toLowerCase()),
  'form-encoded': new URLSearchParams([['', secret]]).toString().slice(1),
  'as JSON': JSON.stringify(secret).slice(1, -1),
  'as HTML with named entities': secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;'),
  'as Base64': Buffer.from(secret).toString('base64'),
  'as base64url': Buffer.from(secret).toString('base64url'),
};

const auth = { type: 'basic' as const, username: 'jo', password: secret };
const repo = { owner: 'acme', repo: 'rocket' };

describe.each(Object.entries(forms))('echoed secrets (%s)', (_form, echoed) => {
  it('an error hides a secret that the server echoes', async () => {
    const server = await serve((_request, response) =>
      sendJson(
        response,
        { message: `no ${echoed} here`, errors: [{ message: echoed }, echoed] },
        422,
      ),
    );
    const error = await rejectionOf(
      createClient(server, { auth }).pulls.get({ ...repo, number: 1 }),
    );
    const { body } = error as { body: unknown };
    for (const shown of [
      String(error),
      inspect(error),
      JSON.stringify(error),
      JSON.stringify(body),
    ]) {
      expect(shown).not.toContain(echoed);
    }
    expect(String(error)).toContain('no *** here');
  });

  it('a sign-in error hides a secret that the server echoes', async () => {
    const server = await serve((_request, response) =>
      sendJson(response, {
        success: false,
        statusMessage: `\u001b[31m${echoed} \u009b${'x'.repeat(100_000)}`,
      }),
    );
    const client = new SupportClient({
      baseUrl: server.origin,
      auth: { userName: 'jo', apiKey: 'a-key-of-mine', password: secret },
    });
    const error = String(await rejectionOf(client.contacts.get({ contact_id: 1 })));
    expect(error).not.toContain(echoed);
    expect(error.length).toBeLessThan(600);
    expect(error).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    await client.close();
  });
});

describe('error fields', () => {
  it('an error keeps the problems of a 422 if the password is a short or common word', async () => {
    const problem = { resource: 'User', field: 'password', code: 'missing_field' };
    const server = await serve((_request, response) =>
      sendJson(response, { message: 'Validation Failed', errors: [problem] }, 422),
    );
    for (const password of ['password', 'p', 'missing', 'User', 'Validation']) {
      const client = createClient(server, { auth: { ...auth, password } });
      const error = await rejectionOf(client.pulls.get({ ...repo, number: 1 }));
      expect(error).toMatchObject({ errors: [problem], body: { errors: [problem] } });
      expect(String(error)).toContain(`${server.origin}/api/v3/repos/acme/rocket/pulls/1`);
    }
  });

  it("an error masks a password in its problems if the password isn't a common word", async () => {
    const server = await serve((_request, response) =>
      sendJson(
        response,
        { message: 'no', errors: [{ resource: 's3cret-9', code: 'a s3cret-9' }] },
        422,
      ),
    );
    const client = createClient(server, { auth: { ...auth, password: 's3cret-9' } });
    const error = await rejectionOf(client.pulls.get({ ...repo, number: 1 }));
    expect(error).toMatchObject({ errors: [{ resource: '***', code: 'a ***' }] });
  });

  it('an error keeps words in the request URL that hook settings also contain', async () => {
    const server = await serve((_request, response) => sendJson(response, { message: 'no' }, 422));
    const input = { ...repo, name: 'campfire', config: { room: 'acme', subdomain: 'rocket' } };
    const error = await rejectionOf(createClient(server).hooks.create(input));
    expect(error).toMatchObject({
      request: { url: `${server.origin}/api/v3/repos/acme/rocket/hooks` },
    });
  });

  it.each(['bad', 'verification', 'code-1'])(
    'an OAuthError keeps its error code if the exchanged code is %s',
    async (code) => {
      const server = await serve((_request, response) =>
        sendJson(response, { error: 'bad_verification_code', error_description: 'wrong' }),
      );
      const flow = new OAuthWebFlow({
        authUrl: server.origin,
        clientId: 'a'.repeat(20),
        clientSecret: 'b'.repeat(40),
      });
      expect(await rejectionOf(flow.exchangeCode({ code }))).toMatchObject({
        error: 'bad_verification_code',
      });
      await flow.close();
    },
  );

  it('a 403 is reported as a lockout even if the password is part of the message', async () => {
    const message = 'Maximum number of login attempts exceeded. Please try again later.';
    const server = await serve((_request, response) => sendJson(response, { message }, 403));
    for (const password of ['maximum', 'login attempts', 'Maximum number']) {
      const client = createClient(server, { auth: { ...auth, password } });
      const error = await rejectionOf(client.pulls.get({ ...repo, number: 1 }));
      expect(error).toMatchObject({ reason: 'login_lockout' });
    }
  });
});

it('an error lists at most 100 problems, and its body is cut after 65,536 characters', async () => {
  const errors = Array.from({ length: 20_000 }, (_each, index) => ({
    field: `f${index}`,
    code: 'x"y',
  }));
  const server = await serve((_request, response) =>
    sendJson(response, { message: 'm', errors }, 422),
  );
  const error = await rejectionOf(createClient(server, { auth }).pulls.get({ ...repo, number: 1 }));
  const { errors: named, body } = error as { errors: unknown[]; body: { errors: unknown[] } };
  expect(named).toHaveLength(100);
  expect(body.errors.length).toBeGreaterThan(3000);
  expect(body.errors.at(-1)).toBe('… (cut)');
  expect(String(error).length).toBeLessThan(2000);
});

it.each([
  [
    'the form-encoded password',
    'correct~horse~battery~9',
    (password: string) => new URLSearchParams({ password }).toString(),
    '%7E',
  ],
  [
    'the Base64url user name and password',
    'secret-pa55word>>>',
    (password: string) => Buffer.from(`user:${password}`).toString('base64url'),
    'dXNlcj',
  ],
])(
  'an error contains nothing of %s that the server echoes',
  async (_name, password, write, trace) => {
    const server = await serve((_request, response) =>
      sendJson(response, { message: `Bad request: ${write(password)}` }, 422),
    );
    const auth = { type: 'basic', username: 'user', password } as const;
    const error = await rejectionOf(createClient(server, { auth }).request('GET /x'));
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(trace);
  },
);
