import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { certificate, privateKey } from '../socket/console-certificate.js';

// Runs programs against the emulator that sign users in or publish releases. npm installs most of
// them; hub and Ansible are Debian packages. The first failure ends the run.

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'triforge-programs-'));
const load = (path) => import(pathToFileURL(join(folder, 'node_modules', path)).href);
const certificateFile = join(folder, 'certificate.pem');

/** Approves a sign-in as a browser would, and returns the URL that the browser is sent to. */
async function approve(authorizeUrl) {
  const { origin, pathname, searchParams } = new URL(authorizeUrl);
  searchParams.set('decision', 'approve');
  const init = { method: 'POST', body: searchParams, redirect: 'manual' };
  const response = await fetch(origin + pathname, init);
  assert.equal(response.status, 302, await response.text());
  return new URL(response.headers.get('location'));
}

/** Creates a checkout of `acme/rocket` on this server, with one empty commit. */
async function createCheckout(name, server) {
  const cwd = join(folder, name);
  await run('git', ['init', '-q', cwd]);
  await run('git', ['-C', cwd, 'remote', 'add', 'origin', `${server}/acme/rocket.git`]);
  const author = ['-c', 'user.name=Mona', '-c', 'user.email=mona@example.com'];
  await run('git', ['-C', cwd, ...author, 'commit', '-q', '--allow-empty', '-m', 'Begin']);
  writeFileSync(join(cwd, 'package.json'), '{ "name": "rocket", "version": "0.0.0" }');
  return cwd;
}

/** Returns the published release of `acme/rocket` with this tag. */
function findRelease(emulator, tag) {
  const { releases } = emulator.hosting.state.repo('acme', 'rocket');
  const release = releases.find((each) => each.tagName === tag && !each.draft);
  assert.ok(release, `${tag} is not published`);
  return release;
}

const callback = 'http://localhost:3000/callback';
const { clientId, clientSecret, login, token } = seeded;

const programs = {
  async arctic({ webUrl }) {
    const { OAuth2Client } = await load('arctic/dist/index.js');
    const client = new OAuth2Client(clientId, clientSecret, callback);
    const url = client.createAuthorizationURL(`${webUrl}/login/oauth/authorize`, 'a', ['repo']);
    const code = (await approve(url)).searchParams.get('code');
    const tokenUrl = `${webUrl}/login/oauth/access_token`;
    const tokens = await client.validateAuthorizationCode(tokenUrl, code, null);
    assert.deepEqual(tokens.scopes(), ['repo']);
  },

  async 'simple-oauth2'({ webUrl }) {
    const { default: oauth2 } = await load('simple-oauth2/index.js');
    for (const authorizationMethod of ['header', 'body']) {
      const client = new oauth2.AuthorizationCode({
        client: { id: clientId, secret: clientSecret },
        auth: {
          tokenHost: webUrl,
          tokenPath: '/login/oauth/access_token',
          authorizePath: '/login/oauth/authorize',
        },
        options: { authorizationMethod },
      });
      const url = client.authorizeURL({ redirect_uri: callback, scope: 'repo', state: 'a' });
      const code = (await approve(url)).searchParams.get('code');
      const { token: result } = await client.getToken({ code, redirect_uri: callback });
      assert.equal(result.scope, 'repo');
    }
  },

  async 'Auth.js'({ webUrl }) {
    const { Auth } = await load('@auth/core/index.js');
    const { default: GitHub } = await load('@auth/core/providers/github.js');
    const config = {
      providers: [GitHub({ clientId, clientSecret, enterprise: { baseUrl: webUrl } })],
      secret: 'a'.repeat(32),
      trustHost: true,
      // The application's callback URL must contain the sign-in's path.
      basePath: '/callback',
    };
    const cookies = new Map();
    const send = async (url, init) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await Auth(new Request(url, { ...init, headers: { cookie } }), config);
      for (const each of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(each);
        cookies.set(name, value);
      }
      return response;
    };
    const { csrfToken } = await (await send(`${callback}/csrf`)).json();
    const body = new URLSearchParams({ csrfToken });
    const start = await send(`${callback}/signin/github`, { method: 'POST', body });
    await send(await approve(start.headers.get('location')));
    const { user } = await (await send(`${callback}/session`)).json();
    assert.equal(user.name, login);
  },

  async 'passport-github2'({ webUrl, hostingUrl }) {
    const { default: passport } = await load('passport-github2/lib/index.js');
    const strategy = new passport.Strategy(
      {
        clientID: clientId,
        clientSecret,
        callbackURL: callback,
        authorizationURL: `${webUrl}/login/oauth/authorize`,
        tokenURL: `${webUrl}/login/oauth/access_token`,
        userProfileURL: `${hostingUrl}user`,
        userEmailURL: `${hostingUrl}user/emails`,
        scope: ['user:email'],
      },
      (_access, _refresh, profile, done) => done(null, profile),
    );
    const authenticate = (query) =>
      new Promise((resolve, reject) => {
        Object.assign(strategy, {
          success: resolve,
          redirect: resolve,
          error: reject,
          fail: reject,
        });
        strategy.authenticate({ query, url: '/', headers: {}, connection: {} }, {});
      });
    const back = await approve(await authenticate({}));
    const profile = await authenticate(Object.fromEntries(back.searchParams));
    assert.equal(profile.username, login);
    assert.equal(profile.emails.length, 1);
  },

  async probot({ hostingUrl, emulator }) {
    const { Probot } = await load('probot/lib/index.js');
    const baseUrl = hostingUrl.replace(/\/$/, '');
    const probot = new Probot({ githubToken: token, secret: 's', baseUrl, logLevel: 'error' });
    const { paginate, rest } = await probot.auth();
    const here = { owner: 'acme', repo: 'rocket' };
    const pulls = await paginate(rest.pulls.list, { ...here, state: 'all', per_page: 70 });
    assert.equal(pulls.length, emulator.hosting.state.repo('acme', 'rocket').pulls.length);
    const config = { url: 'http://localhost:1/hook', content_type: 'json' };
    assert.equal((await rest.repos.createWebhook({ ...here, config })).data.name, 'web');
  },

  async '@semantic-release/github'({ hostingUrl, emulator }) {
    const plugin = await load('@semantic-release/github/index.js');
    const log = { log() {}, error() {}, warn() {} };
    const context = {
      cwd: folder,
      env: { GITHUB_TOKEN: token, GITHUB_API_URL: hostingUrl.replace(/\/$/, '') },
      options: { repositoryUrl: 'https://git.example.com/acme/rocket.git' },
      branch: { name: 'main', type: 'release', main: true },
      nextRelease: { gitTag: 'v81.0.0', name: 'v81.0.0', notes: 'From semantic-release' },
      logger: log,
    };
    const options = { assets: ['asset.txt'] };
    await plugin.verifyConditions(options, context);
    await plugin.publish(options, context);
    const { assets } = findRelease(emulator, 'v81.0.0');
    assert.equal(assets.length, 1);
  },

  async 'release-it'({ secure: { emulator, webUrl } }) {
    const { host } = new URL(webUrl);
    // release-it always fetches from the remote, so it gets an empty repository instead of SSH.
    const cwd = await createCheckout('release-it', 'ssh://git@localhost');
    const bare = join(folder, 'remote.git');
    await run('git', ['init', '-q', '--bare', bare]);
    const env = {
      ...process.env,
      GITHUB_TOKEN: token,
      NODE_EXTRA_CA_CERTS: certificateFile,
      GIT_SSH_COMMAND: `sh -c 'git-upload-pack ${bare}' --`,
      GIT_SSH_VARIANT: 'simple',
    };
    const program = join(folder, 'node_modules/release-it/bin/release-it.js');
    const github = ['--github.release', '--github.skipChecks', `--github.host=${host}`];
    const options = ['--ci', '--no-git', '--no-npm', ...github];
    await run(process.execPath, [program, '83.0.0', ...options], { cwd, env });
    findRelease(emulator, '83.0.0');
  },

  async hub({ webUrl, emulator }) {
    const { host } = new URL(webUrl);
    const env = { ...process.env, GITHUB_TOKEN: token, GITHUB_HOST: host, HOME: folder };
    env.HUB_CONFIG = join(folder, 'hub.yml');
    writeFileSync(
      env.HUB_CONFIG,
      `${host}:\n- user: ${login}\n  oauth_token: ${token}\n  protocol: http\n`,
    );
    const cwd = await createCheckout('hub', webUrl);
    const { stdout } = await run('hub', ['pr', 'list', '-L', '3'], { cwd, env });
    assert.equal(stdout.trim().split('\n').length, 3);
    await run('hub', ['release', 'create', '-m', 'From hub', 'v82.0.0'], { cwd, env });
    assert.equal(findRelease(emulator, 'v82.0.0').name, 'From hub');
  },

  async 'ansible uri'({ hostingUrl }) {
    const basic = `url_username=${login} url_password=${token} force_basic_auth=true`;
    const request = `url=${hostingUrl}user return_content=true ${basic}`;
    const { stdout } = await run('ansible', ['localhost', '-m', 'uri', '-a', request]);
    assert.match(stdout, new RegExp(`"login": "${login}"`));
  },
};

const npmPackages = [
  '@auth/core@0.41',
  'arctic@3',
  'simple-oauth2@5',
  'passport-github2@0.1',
  'probot@14',
  '@semantic-release/github@11',
  'release-it@19',
];

async function listen(tls) {
  const emulator = createEmulator({ vendor: 'github', tls });
  const { webUrl, hostingUrl } = await emulator.listen();
  return { emulator, webUrl, hostingUrl };
}

try {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, 'asset.txt'), 'An asset');
  writeFileSync(certificateFile, certificate);
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-engine-strict', ...npmPackages], {
    cwd: folder,
  });
  const plain = await listen();
  const secure = await listen({ cert: certificate, key: privateKey });
  for (const [name, program] of Object.entries(programs)) {
    await program({ ...plain, secure });
    console.log(`${name}: ok`);
  }
  await plain.emulator.close();
  await secure.emulator.close();
} finally {
  rmSync(folder, { recursive: true });
}
