import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { ConnectionError, ConsoleClient, HostingClient, NotFoundError, OAuthError } from 'triforge';
import { OAuthWebFlow } from 'triforge/hosting';
import { consoleSeed, createEmulator, readWorld, seeded } from 'triforge/testing';
import { parseDelivery } from 'triforge/webhooks';

const caught = (call: Promise<unknown>) => call.then(() => undefined).catch((error) => error);

/** Uses features that load late, depend on the environment, or share classes between subpaths. */
export async function main(): Promise<void> {
  const emulator = createEmulator();
  const dispatcher = emulator.dispatcher();
  const baseUrl = 'https://code.test/api/v3/';
  const auth = { type: 'token', token: seeded.token } as const;
  const { owner, repo, clientId, clientSecret } = seeded;

  const hosting = new HostingClient({ baseUrl, auth, dispatcher, cache: {} });
  const pulls = await hosting.pulls.list({ owner, repo, state: 'all' }).toArray();
  assert.equal(pulls.length, 250, 'number of items in a list of several pages');
  await hosting.pulls.get({ owner, repo, number: 1 });
  await hosting.pulls.get({ owner, repo, number: 1 });
  assert.equal(emulator.requests.at(-1)?.status, 304, 'status of a cached response');
  const missing = await caught(hosting.pulls.get({ owner, repo, number: 99999 }));
  assert(missing instanceof NotFoundError, 'a typed error');

  const { upload_url } = await hosting.releases.create({ owner, repo, tag_name: 'v9.9.9' });
  const file = { upload_url, content_type: 'text/plain', data: Buffer.from('rocket') };
  const asset = await hosting.releases.uploadAsset({ ...file, name: 'rocket.txt' });
  const to = path.join(await mkdtemp(path.join(tmpdir(), 'triforge-')), 'rocket.txt');
  await hosting.releases.downloadAsset({ owner, repo, id: asset.id }, { to });
  assert.equal(await readFile(to, 'utf8'), 'rocket', 'a download to a file');

  const license = { license: consoleSeed.license };
  const appliance = new ConsoleClient({ baseUrl: 'http://box.test', auth: license, dispatcher });
  await appliance.upgrade({ package: Buffer.from('a package') });
  assert.equal(emulator.console.uploads.length, 1, 'number of multipart uploads');

  const { url, hostingUrl } = await emulator.listen();
  const wired = new HostingClient({ baseUrl: hostingUrl, auth, retry: false });
  assert.equal((await wired.pulls.get({ owner, repo, number: 1 })).number, 1, 'a call over HTTP');
  const flow = new OAuthWebFlow({ authUrl: url, clientId, clientSecret });
  const unknown = await caught(flow.exchangeCode({ code: 'unknown', format: 'xml' }));
  assert(unknown instanceof OAuthError, 'an OAuth error in XML');
  const reason = new Error('aborted');
  const aborted = wired.pulls.get(
    { owner, repo, number: 1 },
    { signal: AbortSignal.abort(reason) },
  );
  assert.equal(await caught(aborted), reason, 'the reason of an abort');
  await emulator.close();
  const late = new HostingClient({ baseUrl: hostingUrl, auth, retry: false });
  const refused = await caught(late.pulls.get({ owner, repo, number: 1 }));
  assert(refused instanceof ConnectionError && !refused.mayHaveActed, 'a refused connection');
  assert.match(refused.message, /ECONNREFUSED/, 'the cause of a refused connection');

  const headers = { 'content-type': 'application/json', 'x-service-event': 'ping' };
  const ping = parseDelivery({ headers, body: '{"zen":"x","hook_id":1}' });
  assert.equal(ping.event, 'ping', 'a delivery');
  await writeFile(to, 'hosting:\n  accounts: [{ login: grace }]\n');
  const world = await readWorld(to);
  assert.equal(world.hosting?.accounts?.[0]?.login, 'grace', 'a world in YAML');
  await Promise.all([hosting, appliance, wired, late, flow].map((client) => client.close()));
}
