import { inspect } from 'node:util';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { isTriforgeError } from '../../../src/errors/index.js';
import { type HostingClientOptions, OAuthWebFlow } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { ApiClient } from '../../../src/transport/api-client.js';
import { anonymous } from '../../../src/transport/request/credentials.js';
import { defineEndpoint, json } from '../../../src/transport/request/endpoint.js';
import { filledText } from '../../../src/transport/request/input.js';
import { resolveSettings } from '../../../src/transport/settings.js';
import { Transport } from '../../../src/transport/transport.js';
import { createClient, rejectionOf, watchRejections } from '../../support/client.js';
import { type Handler, sendJson, serve, type TestServer } from '../../support/server.js';

const planted = {
  token: 'tok-planted-1'.padEnd(40, '1'),
  password: 'pass(word)!planted-2',
  query: 'query-planted-3',
  echo: 'echo-planted-4',
  otp: 'otp-planted-5',
};
const secrets = Object.values(planted);
const basic = Buffer.from(`jo:${planted.password}`).toString('base64');

/** Returns the parts of an error that logs may show. */
function shown(error: unknown): string {
  const texts: unknown[] = [
    inspect(error, { depth: 9 }),
    JSON.stringify(error),
    String(error),
    error instanceof Error ? error.stack : '',
    error instanceof Error ? inspect(error.cause, { depth: 9 }) : '',
    error instanceof Error ? inspect(Reflect.get(error, 'response'), { depth: 9 }) : '',
    error instanceof Error ? JSON.stringify(Reflect.get(error, 'response')) : '',
  ];
  return texts.join('\n');
}

function expectClean(error: unknown, alsoNot: readonly string[] = []): void {
  expect(isTriforgeError(error), inspect(error)).toBe(true);
  for (const secret of [...secrets, basic, ...alsoNot]) {
    expect(shown(error)).not.toContain(secret);
    expect(shown(error)).not.toContain(encodeURIComponent(secret));
  }
  expect(String(error)).not.toMatch(/[\r\n]/);
}

/** Creates a handler that echoes all credentials, raw and decoded. */
const echo = (status: number): Handler => {
  return ({ url, headers }, response) => {
    const { authorization = '' } = headers;
    const decoded = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString('latin1');
    const ours = `${url.replace(planted.query, '')} ${authorization} ${headers['x-service-otp']}`;
    const message = `you sent\n${ours} ${authorization.startsWith('Basic') ? decoded : ''}`;
    sendJson(response, { message, other: planted.echo }, status, {
      location: `/x?access_token=${planted.token}`,
      'x-echo': planted.echo,
      'set-cookie': `s=${planted.echo}`,
    });
  };
};

const ways: readonly [string, Handler, Partial<HostingClientOptions>?][] = [
  ...[400, 401, 403, 404, 409, 418, 422, 429, 500].map((status): (typeof ways)[number] => [
    `a response with status ${status}`,
    echo(status),
  ]),
  ['a connection reset', (_request, response) => response.destroy()],
  ['a timeout', () => undefined, { timeout: 20 }],
  ['a malformed body', (_request, response) => response.end(`{"x":"${planted.echo}`)],
  [
    'an oversized body',
    (_request, response) => response.end(planted.echo.repeat(500)),
    { maxResponseBytes: 1000 },
  ],
  [
    'a redirect loop',
    (request, response) => response.writeHead(302, { location: request.url }).end(),
  ],
  [
    'a rejected redirect',
    (_request, response) =>
      response
        .writeHead(302, { location: `ftp://jo:${planted.echo}@x/?access_token=${planted.token}` })
        .end(),
  ],
];

describe('the printed error', () => {
  for (const [way, handler, options] of ways) {
    for (const auth of [
      { type: 'token', token: planted.token, in: 'query' },
      { type: 'token', token: planted.token },
      { type: 'basic', username: 'jo', password: planted.password, otp: planted.otp },
      { type: 'application', clientId: 'i'.repeat(20), clientSecret: planted.token },
    ] as const) {
      const scheme = `${auth.type}${'in' in auth ? ' in the query' : ''}`;
      it(`the printed error hides credentials and inputs after ${way} (auth: ${scheme})`, async () => {
        const server = await serve(handler);
        const client = createClient(server, { auth, retry: false, ...options });
        expectClean(await rejectionOf(client.request('GET /x', { q: planted.query })));
      });
    }
  }

  it('the printed error hides request options that a dispatcher adds to its error', async () => {
    const dispatcher = new Agent().compose(() => (options, handler) => {
      const error = Object.assign(new Error('no mock'), { options });
      handler.onResponseError?.(
        // The client's handler doesn't use this controller.
        { abort: () => undefined } as never,
        error,
      );
      return true;
    });
    for (const auth of [
      { type: 'token', token: planted.token },
      { type: 'token', token: planted.token, in: 'query' },
    ] as const) {
      const client = createClient(
        { origin: 'http://127.0.0.1:1' },
        { auth, dispatcher, retry: false },
      );
      const error = await rejectionOf(client.request('GET /x'));
      expectClean(error);
      expect(error).toMatchObject({ cause: { message: 'no mock' } });
    }
  });

  it("the printed error hides credentials after a response that doesn't match its model", async () => {
    const server = await serve((_request, response) =>
      sendJson(response, { login: planted.echo, token: planted.token }),
    );
    const client = createClient(server, { auth: { type: 'token', token: planted.token } });
    expectClean(await rejectionOf(client.pulls.get({ owner: 'o', repo: 'r', number: 1 })));
  });

  it('the printed error never quotes an invalid input', async () => {
    const client = createClient({ origin: 'http://127.0.0.1:1' });
    const wrong = { owner: 'o', repo: 'r', number: planted.echo };
    // @ts-expect-error: JavaScript callers may pass anything.
    expectClean(await rejectionOf(client.pulls.get(wrong)));
    const headers = { 'x-a': `${planted.echo}\r\nx-b: 1` };
    expectClean(await rejectionOf(client.request('GET /x', {}, { headers })));
  });
});

describe('secret inputs', () => {
  const check = defineEndpoint<{ token: string; note?: string | undefined }>('GET /tokens/{token}')(
    {
      operation: 'tokens.check',
      input: { token: filledText, note: { ...filledText, required: false } },
      secret: ['token'],
      response: json({
        '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
      }),
    },
  );
  const getCaller = (server: TestServer) => {
    const media = { vendor: 'service', version: 'v3' } as const;
    const options = { baseUrl: server.origin, retry: false } as const;
    const transport = new Transport(resolveSettings(options, { media, accept: '*/*' }));
    return { transport, caller: new ApiClient(transport, anonymous, () => anonymous) };
  };

  for (const secret of ['plain-secret', "sec(ret)!'*", 'a+b c/d']) {
    it(`the client sends a secret input to the server, but the printed error hides the input (${secret})`, async () => {
      const server = await serve((request, response, index) =>
        index === 0
          ? sendJson(response, {}, 200, {
              'x-ratelimit-limit': '1',
              'x-ratelimit-remaining': '0',
              'x-ratelimit-reset': `${Math.ceil(Date.now() / 1000) + 600}`,
            })
          : sendJson(response, { message: decodeURIComponent(request.url) }, 404),
      );
      const { transport, caller } = getCaller(server);
      const { response } = await caller.call(check, { token: secret }).withResponse();
      expect(decodeURIComponent(server.requests[0]?.url ?? '')).toBe(`/tokens/${secret}`);
      expect(response.url).toBe(`${server.origin}/tokens/***`);
      const refused = await rejectionOf(caller.call(check, { token: secret }));
      expect(refused).toMatchObject({ code: 'rate_limit' });
      expectClean(refused, [secret]);
      const second = getCaller(server);
      const missing = await rejectionOf(second.caller.call(check, { token: secret }));
      expect(missing).toMatchObject({ code: 'not_found' });
      expectClean(missing, [secret]);
      await Promise.all([transport.close(), second.transport.close()]);
    });
  }
});

describe('errors', () => {
  it("error.stack includes the caller's line", async () => {
    const server = await serve(echo(404));
    async function theCaller() {
      return await createClient(server).request('GET /x');
    }
    const error = await rejectionOf(theCaller());
    expect(error instanceof Error && error.stack).toMatch(/at (?:async )?theCaller/);
    const refused = createClient({ origin: 'http://127.0.0.1:1' }, { retry: false });
    async function anotherCaller() {
      return await refused.request('GET /x');
    }
    const failure = await rejectionOf(anotherCaller());
    expect(failure instanceof Error && failure.stack).toMatch(/at (?:async )?anotherCaller/);
  });

  it('a failed call causes no unhandled rejection if the caller handles its promise or that of withResponse()', async () => {
    const rejections = watchRejections();
    const server = await serve(echo(404));
    const client = createClient(server);
    expect(await rejectionOf(client.request('GET /x').withResponse())).toBeInstanceOf(Error);
    const call = client.request('GET /x');
    expect(await rejectionOf(call)).toBe(await rejectionOf(call.withResponse()));
    expect(await rejections()).toEqual([]);
  });
});

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
