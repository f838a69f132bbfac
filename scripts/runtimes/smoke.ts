import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A program that tests lists, a write, an upload, a file and errors against the emulator. */
const program = `
async function smoke({ HostingClient, isTriforgeError }, { createEmulator, seeded }) {
  const expect = (what, holds) => {
    if (!holds) throw new Error('smoke: expected ' + what);
  };
  const emulator = createEmulator();
  const { hostingUrl } = await emulator.listen();
  const { owner, repo, token } = seeded;
  const hosting = new HostingClient({ baseUrl: hostingUrl, auth: { type: 'token', token } });
  const numbers = new Set();
  for await (const pull of hosting.pulls.list({ owner, repo, state: 'all', per_page: 80 })) numbers.add(pull.number);
  expect('several pages of pull requests', numbers.size > 80);
  for await (const user of hosting.starring.listStargazers({ owner, repo })) {
    expect('a login', user.login);
    break;
  }
  const release = await hosting.releases.create({ owner, repo, tag_name: 'v9.9.9', draft: true });
  const data = Buffer.alloc(300_000, 'rocket');
  const asset = await hosting.releases.uploadAsset({
    upload_url: release.upload_url, name: 'rocket.bin', content_type: 'application/octet-stream', data,
  });
  expect('the whole upload', asset.size === data.length);
  let bytes = 0;
  for await (const chunk of await hosting.contents.getRaw({ owner, repo, path: 'README.md' })) bytes += chunk.length;
  expect('a file', bytes > 0);
  const failure = async (call) => {
    try {
      await call;
    } catch (error) {
      return error;
    }
  };
  const missing = await failure(hosting.pulls.get({ owner, repo, number: 999999999 }));
  expect('a NotFoundError, not ' + missing, isTriforgeError(missing) && missing.code === 'not_found');
  const given = new Error('given up');
  const aborted = await failure(hosting.pulls.get({ owner, repo, number: 1 }, { signal: AbortSignal.abort(given) }));
  expect('the reason of the signal', aborted === given);
  await hosting.close();
  await emulator.close();
  const refused = await failure(new HostingClient({ baseUrl: hostingUrl, retry: false }).pulls.get({ owner, repo, number: 1 }));
  expect('a ConnectionError, not ' + refused, isTriforgeError(refused) && refused.code === 'connection' && !refused.mayHaveActed);
  console.log('smoke: works');
}
`;

/**
 * Writes the program as an ES module and as CommonJS. Each version loads every entry point.
 * @returns File names.
 */
export function writeSmoke(
  folder: string,
  subpaths: readonly string[],
): { readonly esm: string; readonly commonJs: string } {
  const [main, testing] = ['triforge', 'triforge/testing'];
  const others = subpaths.filter((path) => path !== main && path !== testing);
  const esm = 'smoke.mjs';
  const commonJs = 'smoke.cjs';
  writeFileSync(
    join(folder, esm),
    [
      `import * as main from '${main}';`,
      `import * as testing from '${testing}';`,
      ...others.map((path) => `import '${path}';`),
      program,
      'await smoke(main, testing);',
    ].join('\n'),
  );
  writeFileSync(
    join(folder, commonJs),
    [
      program,
      ...others.map((path) => `require('${path}');`),
      `smoke(require('${main}'), require('${testing}'));`,
    ].join('\n'),
  );
  return { esm, commonJs };
}
