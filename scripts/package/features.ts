/**
 * Function body that tests features that load late or depend on the environment. The names in
 * {@link scope} and `check(what, holds)` are in scope.
 */
const features = `
  const emulator = createEmulator();
  const baseUrl = 'https://code.test/api/v3/';
  const auth = { type: 'token', token: seeded.token };
  const dispatcher = emulator.dispatcher();
  const { owner, repo, clientId, clientSecret } = seeded;

  const hosting = new HostingClient({ baseUrl, auth, dispatcher, cache: {} });
  const pulls = await hosting.pulls.list({ owner, repo, state: 'all' }).toArray();
  check('a list of several pages', pulls.length === 250);
  await hosting.pulls.get({ owner, repo, number: 1 });
  await hosting.pulls.get({ owner, repo, number: 1 });
  check('a cached response', emulator.requests.at(-1)?.status === 304);
  const missing = await hosting.pulls.get({ owner, repo, number: 99999 }).catch((error) => error);
  check('a typed error', missing instanceof NotFoundError);

  const { upload_url } = await hosting.releases.create({ owner, repo, tag_name: 'v9.9.9' });
  const file = { upload_url, content_type: 'text/plain', data: Buffer.from('rocket') };
  const asset = await hosting.releases.uploadAsset({ ...file, name: 'rocket.txt' });
  const to = path.join(await mkdtemp(path.join(tmpdir(), 'triforge-')), 'rocket.txt');
  await hosting.releases.downloadAsset({ owner, repo, id: asset.id }, { to });
  check('a download to a file', (await readFile(to, 'utf8')) === 'rocket');

  const license = { license: consoleSeed.license };
  const appliance = new ConsoleClient({ baseUrl: 'http://box.test', auth: license, dispatcher });
  await appliance.upgrade({ package: Buffer.from('a package') });
  check('a multipart upload', emulator.console.uploads.length === 1);

  const { url, hostingUrl } = await emulator.listen();
  const wired = new HostingClient({ baseUrl: hostingUrl, auth, retry: false });
  check('a call over HTTP', (await wired.pulls.get({ owner, repo, number: 1 })).number === 1);
  const flow = new OAuthWebFlow({ authUrl: url, clientId, clientSecret });
  const unknown = await flow.exchangeCode({ code: 'unknown', format: 'xml' }).catch((error) => error);
  check('an OAuth error in XML', unknown instanceof OAuthError);
  const reason = new Error('aborted');
  const signal = AbortSignal.abort(reason);
  const aborted = await wired.pulls.get({ owner, repo, number: 1 }, { signal }).catch((e) => e);
  check('the reason of an abort', aborted === reason);
  await emulator.close();
  const late = new HostingClient({ baseUrl: hostingUrl, auth, retry: false });
  const refused = await late.pulls.get({ owner, repo, number: 1 }).catch((error) => error);
  check('a refused connection', refused instanceof ConnectionError && !refused.mayHaveActed);
  check('its cause', String(refused).includes('ECONNREFUSED') && refused.cause !== undefined);

  const headers = { 'content-type': 'application/json', 'x-service-event': 'ping' };
  check('a delivery', parseDelivery({ headers, body: '{"zen":"x","hook_id":1}' }).event === 'ping');
  let problem;
  try {
    parseDelivery({ headers, body: Buffer.from([0x22, 0xff, 0x22]) });
  } catch (error) {
    problem = error;
  }
  check('a delivery that is not UTF-8', problem instanceof InvalidRequestError);

  await writeFile(to, 'hosting:\\n  accounts: [{ login: grace }]\\n');
  check('a world in YAML', (await readWorld(to)).hosting?.accounts?.[0]?.login === 'grace');
  await Promise.all([hosting, appliance, wired, late, flow].map((client) => client.close()));
`;

const names = {
  triforge:
    'ConnectionError, ConsoleClient, HostingClient, InvalidRequestError, NotFoundError, OAuthError',
  'triforge/hosting': 'OAuthWebFlow',
  'triforge/webhooks': 'parseDelivery',
  'triforge/testing': 'consoleSeed, createEmulator, readWorld, seeded',
  'node:fs/promises': 'mkdtemp, readFile, writeFile',
  'node:os': 'tmpdir',
};

/** Code that imports the names with `import` or `require`. */
export const scope = {
  import: [
    ...Object.entries(names).map(([from, what]) => `import { ${what} } from '${from}';`),
    `import * as path from 'node:path';`,
  ].join('\n'),
  require: [
    ...Object.entries(names).map(([from, what]) => `const { ${what} } = require('${from}');`),
    `const path = require('node:path');`,
  ].join('\n'),
};

const main = `
async function main() {
  const failed = [];
  const check = (what, holds) => holds || failed.push(what);
  ${features}
  if (failed.length > 0) throw new Error('failed: ' + failed.join());
}`;
const start = `\nmain().then(() => console.log('works'));\n`;

/** Programs that use the features and print `works`. */
export const esModule = scope.import + main + start;
export const commonJs = scope.require + main + start;

/** A module with the function `main`, which rejects if a feature doesn't work. */
export const mainModule = scope.import + main;

/** A test for Jest, vitest or node:test, after `imports`. */
export const testOf = (imports: string) =>
  `${imports}${main}\ntest('triforge works', () => main(), 60_000);\n`;
