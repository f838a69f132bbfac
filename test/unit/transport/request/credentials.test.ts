import { describe, expect, it } from 'vitest';
import { type HostingAuth, hostingAuthorizer } from '../../../../src/hosting/auth/schemes.js';
import type { Credentials } from '../../../../src/transport/request/credentials.js';

const basic: HostingAuth = { type: 'basic', username: 'jö', password: 'p:w' };
const token: HostingAuth = { type: 'token', token: 'tok' };
const query: HostingAuth = { ...token, in: 'query' };
const clientId = 'a1'.repeat(10);
const clientSecret = 's&c4'.repeat(10);
const application: HostingAuth = { type: 'application', clientId, clientSecret };

async function createCredentials(auth: HostingAuth | undefined, requirement?: string) {
  return await hostingAuthorizer(auth, 'acme').credentials(requirement, undefined);
}

describe('credentials()', () => {
  it.each([
    [
      'Basic authentication',
      { headers: { authorization: 'Basic asO2OnA6dw==' }, parameters: '' },
      basic,
    ],
    ['a token', { headers: { authorization: 'token tok' }, parameters: '' }, token],
    ['a token in the query', { headers: {}, parameters: 'access_token=tok' }, query],
    [
      'an application',
      { headers: {}, parameters: `client_id=${clientId}&client_secret=${'s%26c4'.repeat(10)}` },
      application,
    ],
    ['a one-time password', { headers: { 'x-acme-otp': '1' } }, { ...basic, otp: '1' }],
    ['a function', { headers: { authorization: 'token tok' } }, () => token],
  ] as [string, object, HostingAuth][])(
    'converts %s to the request credentials %j',
    async (_name, expected, auth) => {
      expect(await createCredentials(auth)).toMatchObject(expected);
    },
  );
});

describe('hostingAuthorizer()', () => {
  const app = { type: 'application', clientId, clientSecret } as const;
  const withToken = (value: string) => ({ type: 'token', token: value }) as const;
  const password = { ...basic, password: 'p\n' };
  it.each<[string, HostingAuth, RegExp]>([
    ['a token with a line feed', withToken('tok\n'), /^auth.token: .*line break.*trim/],
    ['a token after a space', withToken(' tok'), /^auth.token: .*without spaces/],
    ['a token with its scheme', withToken('Bearer tok'), /^auth.token: .*'Bearer'.*only the token/],
    ['an empty token', withToken(''), /^auth.token: .*an empty string/],
    ['a password with a line feed', password, /^auth.password: .*line break/],
    ['a username with a colon', { ...basic, username: 'a:b' }, /^auth.username: .*colon/],
    // `as`: JavaScript callers may pass anything.
    ['a misspelled option', { ...basic, opt: '1' } as HostingAuth, /^auth: unknown option 'opt'/],
    ['a short client ID', { ...app, clientId: clientId.slice(1) }, /^auth.clientId: .*20/],
    ['a long secret', { ...app, clientSecret: `${clientSecret}x` }, /^auth.clientSecret: .*40/],
  ])('rejects %s', (_name, auth, message) => {
    expect(() => hostingAuthorizer(auth, 'acme')).toThrow(
      expect.objectContaining({
        code: 'configuration',
        option: expect.stringMatching(/^auth\b/),
        message: expect.stringMatching(message),
      }),
    );
  });
});

it('different credentials have different fingerprints', async () => {
  const all: HostingAuth[] = [
    basic,
    { ...basic, password: 'other' },
    // These credentials differ from `basic`, even though the joined username and password are
    // equal.
    { type: 'basic', username: 'jöp', password: ':w' },
    token,
    application,
    { ...application, clientSecret: 'other'.repeat(8) },
  ];
  const given = await Promise.all(all.map((auth) => createCredentials(auth)));
  const known = given.filter((each): each is Credentials => each !== undefined);
  expect(new Set(known.map(({ fingerprint }) => fingerprint)).size).toBe(all.length);
  for (const { fingerprint, secrets } of known) {
    for (const secret of secrets) expect(fingerprint).not.toContain(secret);
  }
});

describe('renew()', () => {
  const challenge = { status: 401, statusText: '', headers: { 'x-acme-otp': 'required; sms' } };

  it('adds the one-time password that the otp function returns', async () => {
    const authorizer = hostingAuthorizer({ ...basic, otp: async () => '77' }, 'acme');
    const given = await authorizer.credentials(undefined, undefined);
    const fresh = await authorizer.renew?.(given, challenge, undefined);
    expect(fresh).toMatchObject({
      headers: { 'x-acme-otp': '77' },
      secrets: expect.arrayContaining(['77']),
      fingerprint: given?.fingerprint,
    });
  });

  it.each([
    ['for a token', token, challenge],
    ['for a fixed one-time password', { ...basic, otp: '1' }, challenge],
    [
      "if the 401 doesn't require a one-time password",
      { ...basic, otp: () => '1' },
      { ...challenge, headers: {} },
    ],
  ] as [string, HostingAuth, typeof challenge][])(
    'returns undefined %s',
    async (_name, auth, refused) => {
      for (const given of [auth, () => auth as never]) {
        const authorizer = hostingAuthorizer(given, 'acme');
        const credentials = await authorizer.credentials(undefined, undefined);
        expect(await authorizer.renew?.(credentials, refused, undefined)).toBeUndefined();
      }
    },
  );

  it.each(['1 2\r\n', '', 12])('rejects the invalid one-time password %j', async (otp) => {
    // `as`: JavaScript callers can return anything.
    const authorizer = hostingAuthorizer({ ...basic, otp: () => otp as string }, 'acme');
    const given = await authorizer.credentials(undefined, undefined);
    await expect(authorizer.renew?.(given, challenge, undefined)).rejects.toMatchObject({
      code: 'configuration',
      option: 'auth',
    });
  });
});
