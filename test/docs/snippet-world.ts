import { createHash, createVerify, X509Certificate } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type HostingAuth, OAuthWebFlow } from '../../src/hosting/index.js';
import { HostingClient, SupportClient } from '../../src/index.js';
import { createEmulator, type Dataset, type Emulator } from '../../src/testing/index.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { signDelivery } from '../support/sign-delivery.js';
import { ConsoleClient } from './snippet-modules.js';

const time = '2026-01-01T00:00:00Z';
const clientId = 'abcde12345abcde12345';
const clientSecret = 'abcdefghijabcdefghijabcdefghijabcdefghij';
const person = { password: 'your password', type: 'User' } as const;
const license = 'a license';
const notes = 'some notes';

/** Records that the code in the documents uses. */
const world: Dataset = {
  now: time,
  hosting: {
    accounts: [
      { login: 'mona', siteAdmin: true, ...person },
      { login: 'octo', ...person },
      { login: 'acme', type: 'Organization', owners: ['mona'] },
    ],
    applications: [
      { name: 'App', clientId, clientSecret, callbackUrl: 'https://example.com/callback' },
    ],
    tokens: [
      {
        id: 1,
        login: 'mona',
        token: 'your-token',
        clientId,
        scopes: ['repo', 'user', 'admin:org', 'admin:repo_hook'],
      },
    ],
    repositories: [
      {
        owner: 'acme',
        name: 'rocket',
        files: { 'README.md': '# Rocket', 'docs/guide.md': '# Guide', 'logo.png': 'a logo' },
        stargazers: ['mona', 'octo'],
        pulls: Array.from({ length: 7 }, () => ({ title: 'Release', login: 'octo' })),
        releases: [{ id: 1, tagName: 'v1.0.0', assets: [{ id: 1, name: 'a.txt', content: 'a' }] }],
        comments: [{ id: 1, body: 'Well', login: 'mona' }],
        hooks: [{ id: 1, config: { url: 'https://example.com/old-hook' } }],
        downloads: [{ id: 1, name: 'rocket.zip' }],
        pages: { builds: [{ status: 'built' }] },
      },
      { owner: 'acme', name: 'lander' },
      { owner: 'acme', name: 'probe' },
      { owner: 'mona', name: 'rocket', forkOf: 'acme/rocket', files: { 'README.md': '# Fork' } },
    ],
    teams: [
      { id: 1, org: 'acme', name: 'Crew', members: ['mona', 'octo'], repos: ['acme/rocket'] },
    ],
  },
  support: {
    users: [{ userName: 'nightly', apiKey: 'your key', password: 'your password' }],
    campaigns: ['Support'],
    contacts: [
      { id: 1, name: 'Ada', profiles: [{ source: 'source', ext_id: 'old' }], updated: time },
      { id: 4711, name: 'Grace', updated: time },
    ],
    cases: [{ id: 1, subject: 'Help', contact_id: 1, campaign: 'Support', updated: time }],
    sessions: [{ token: 'your-token', userName: 'nightly', expires: Date.parse(time) + 3_600_000 }],
  },
  console: {
    licenseMd5: createHash('md5').update(license).digest('hex'),
    standing: { status: 'success', progress: [] },
  },
};

/** Files that code in the documents reads, keyed by path relative to the working directory. */
const files: Readonly<Record<string, string>> = {
  'license.ghl': license,
  'release.pkg': 'a package',
  'release-2.pkg': 'a package',
  'release-2.0.0.pkg': 'a package',
  'settings.json': '{"enterprise":{"private_mode":true}}',
  'id_ed25519.pub':
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFpTvbS2JxJ0KPT8pQnBcVqY9mFVcRn2bqQ7Y0n5rZ1c mona',
  'dist/a.zip': 'a file',
  'dist/rocket.zip': 'a rocket',
  'company-ca.pem': certificate,
  'client.pem': certificate,
  'client.key': privateKey,
  'app.pem': privateKey,
};

/** Writes `files` and `world.yaml`. @param yaml The world that a guide documents. */
export function writeSnippetFiles(folder: string, yaml: string): void {
  for (const [path, text] of Object.entries({ ...files, 'world.yaml': yaml })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Adds the endpoints of the guide *Endpoints that triforge doesn't cover*. */
function routeOtherEndpoints({ hosting }: Emulator): void {
  const repo = '/repos/:owner/:repo';
  const issue = { number: 1, title: 'It leaks', state: 'open' };
  const commit = { sha: '1'.repeat(40), commit: { message: 'Fix it' } };
  const created = (body: object) => () => ({ status: 201, body });
  const envelope = (name: string, item: object) => () => ({
    status: 200,
    body: { total_count: 1, [name]: [item] },
  });
  hosting.route(`GET ${repo}/issues`, ({ page }) => page([issue]));
  hosting.route(`POST ${repo}/issues`, created(issue));
  hosting.route(`POST ${repo}/issues/:number/comments`, created({ id: 1, body: 'Yes' }));
  hosting.route(`POST ${repo}/issues/:number/labels`, () => ({
    status: 200,
    body: [{ name: 'urgent' }],
  }));
  hosting.route(`GET ${repo}/branches`, ({ page }) => page([{ name: 'main', commit }]));
  hosting.route(`GET ${repo}/commits`, ({ page }) => page([commit]));
  hosting.route(`GET ${repo}/compare/:range`, () => ({
    status: 200,
    body: { ahead_by: 1, commits: [commit] },
  }));
  hosting.route(`POST ${repo}/statuses/:sha`, created({ id: 1, state: 'success' }));
  const run = { name: 'ci', conclusion: null };
  hosting.route(`GET ${repo}/commits/:ref/check-runs`, envelope('check_runs', run));
  hosting.route('GET /search/issues', envelope('items', issue));
}

/**
 * Responds to requests for a GitHub App's installation token, if the app's JWT is valid. The emulator
 * has no apps, so it would reject the JWT.
 */
function issueInstallationTokens(emulator: Emulator): void {
  const { publicKey } = new X509Certificate(certificate);
  const emulated = emulator.respond.bind(emulator);
  const respond = async (request: Request) => {
    if (!request.url.endsWith('/access_tokens')) return emulated(request);
    const [, jwt = ''] = request.headers.get('authorization')?.split('Bearer ') ?? [];
    const [head, claims = '', signature = ''] = jwt.split('.');
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const isSigned = createVerify('sha256')
      .update(`${head}.${claims}`)
      .verify(publicKey, signature, 'base64url');
    if (!isSigned || iss !== '1234') return Response.json({}, { status: 401 });
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    return Response.json({ token: 'your-token', expires_at }, { status: 201 });
  };
  Object.assign(emulator, { respond });
}

/** Changes to the emulator for snippets that match a pattern. */
const arrangements: readonly (readonly [RegExp, (emulator: Emulator) => void])[] = [
  [
    /contents\.(?:update|delete)\(\{ owner, repo, path: 'notes/,
    ({ hosting }) => hosting.addFiles('acme/rocket', { 'notes.txt': notes }),
  ],
  [/gitRefs\.(?:update|delete)\(/, ({ hosting }) => hosting.addRef('acme/rocket', 'heads/topic')],
  [/releases\.create\(/, ({ hosting }) => hosting.state.repo('acme', 'rocket')?.releases.splice(0)],
  [/ref: 'v1\.0\.0'/, ({ hosting }) => hosting.addRef('acme/rocket', 'tags/v1.0.0')],
  [
    /\/labels'/,
    ({ hosting }) => {
      const label = { name: 'urgent', color: 'ff0000' };
      hosting.route('POST /repos/:owner/:repo/labels', () => ({ status: 201, body: label }));
      hosting.route('GET /repos/:owner/:repo/labels', ({ page }) => page([label]));
    },
  ],
  [/getRepository/, routeOtherEndpoints],
  [/createJwt/, issueInstallationTokens],
  [
    /head: 'mona:fast'/,
    ({ hosting }) => {
      hosting.addRef('mona/rocket', 'heads/fast');
      hosting.addFile('mona/rocket', 'fast.txt', 'fast', 'fast');
    },
  ],
];

/** Creates an emulator with the records that `code` uses. */
export function snippetWorld(code: string): Emulator {
  const emulator = createEmulator({ seed: world });
  for (const [pattern, arrange] of arrangements) if (pattern.test(code)) arrange(emulator);
  return emulator;
}

/**
 * Returns the values that the preludes declare, and the callback URL of a completed OAuth flow. URLs
 * in the code lead to the emulator.
 */
export async function preludeValues(emulator: Emulator, code: string) {
  const web = 'https://code.example.com';
  const oauth = new OAuthWebFlow({ authUrl: web, clientId, clientSecret });
  const hosting = new HostingClient({
    baseUrl: `${web}/api/v3/`,
    auth: authFor(code),
    retry: false,
  });
  const main = emulator.hosting.state.repo('acme', 'rocket')?.refs.get('heads/main');
  const blob = createHash('sha1').update(`blob ${notes.length}\0${notes}`).digest('hex');
  const { callbackUrl, state } = await authorized(emulator, oauth);
  return {
    hosting,
    oauth,
    support: new SupportClient({
      baseUrl: 'https://support.example.com/api/v2/',
      auth: { userName: 'nightly', apiKey: 'your key', password: 'your password' },
    }),
    appliance: new ConsoleClient({
      baseUrl: `${web}:8443`,
      auth: { license: Buffer.from(license) },
    }),
    owner: 'acme',
    repo: 'rocket',
    token: 'your-token',
    secret: clientSecret,
    sha: code.includes('contents.') ? blob : main?.sha,
    release: { upload_url: `${web}/api/uploads/repos/acme/rocket/releases/1/assets{?name,label}` },
    callbackUrl,
    code: new URL(callbackUrl).searchParams.get('code') ?? '',
    state,
    topic: `${web}/acme/rocket/events/push`,
  };
}

/** Authorizes the application as a user. Returns the `state` and the callback URL. */
async function authorized(emulator: Emulator, oauth: OAuthWebFlow) {
  emulator.hosting.signedIn = 'mona';
  const { url, state } = oauth.authorizeUrl({ scopes: ['repo'] });
  const { origin, pathname, searchParams: body } = new URL(url);
  body.set('decision', 'approve');
  const page = await emulator.respond(new Request(origin + pathname, { method: 'POST', body }));
  return { state, callbackUrl: page.headers.get('location') ?? '' };
}

function authFor(code: string): HostingAuth {
  if (code.includes('hosting.applications.'))
    return { type: 'application', clientId, clientSecret };
  if (/hosting\.(?:authorizations|hub)\./.test(code))
    return { type: 'basic', username: 'mona', password: 'your password' };
  return { type: 'token', token: 'your-token' };
}

/** Returns arguments for the functions that the code exports, keyed by name. */
export function listCalls({
  callbackUrl,
  state,
  secret,
}: Awaited<ReturnType<typeof preludeValues>>) {
  const { headers, body } = signDelivery({ event: 'push', payload: { ref: 'a' }, secret });
  return { callback: [callbackUrl, state], receive: [headers, body] };
}
