import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { run } from './command.js';
import { emptyProject, install } from './consumer.js';

/** A worker that uses lists, errors, a write, an upload and a download. */
const worker = `
import { HostingClient, isTriforgeError } from 'triforge/hosting';
export default {
  async fetch(request, { token, baseUrl }) {
    const hosting = new HostingClient({ baseUrl, auth: { type: 'token', token } });
    const repo = { owner: 'acme', repo: 'rocket' };
    const pulls = await hosting.pulls.list(repo, { concurrency: 2 }).toArray();
    const missing = await hosting.pulls.get({ ...repo, number: 99999 }).catch((error) => error);
    await hosting.starring.star(repo);
    const { upload_url } = await hosting.releases.create({ ...repo, tag_name: 'workers' });
    const data = new Uint8Array(600_000).fill(97);
    const asset = await hosting.releases.uploadAsset({
      upload_url, name: 'a.txt', content_type: 'text/plain', data,
    });
    const bytes = await hosting.releases.downloadAsset({ ...repo, id: asset.id }, { as: 'bytes' });
    return Response.json({
      several: pulls.length > 100,
      code: isTriforgeError(missing) && missing.code,
      size: bytes.length,
    });
  },
};
`;

const expected = { several: true, code: 'not_found', size: 600_000 };

/**
 * Bundles the worker without undici and runs it in workerd, the runtime of Cloudflare Workers.
 * @returns the size of the bundle.
 */
export async function runInWorkers(folder: string, tarball: string): Promise<string> {
  emptyProject(folder);
  install(folder, [tarball, 'esbuild@0.27.7', 'workerd@1']);
  writeFileSync(join(folder, 'worker.mjs'), worker);
  const conditions = ['--platform=node', '--conditions=workerd', '--format=esm'];
  run(
    'npx',
    ['esbuild', 'worker.mjs', '--bundle', ...conditions, '--minify', '--outfile=out.mjs'],
    folder,
  );
  const emulator = createEmulator();
  const { hostingUrl } = await emulator.listen();
  const texts = { token: seeded.token, baseUrl: hostingUrl };
  const bindings = Object.entries(texts).map(
    ([name, text]) => `(name = "${name}", text = "${text}")`,
  );
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "internet", network = (allow = ["local", "private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "out.mjs")],
  compatibilityDate = "2026-11-01",
  bindings = [${bindings.join(', ')}],
);`,
  );
  const child = spawn('npx', ['workerd', 'serve', 'config.capnp', '--control-fd=1'], {
    cwd: folder,
    // npx and workerd's wrapper start further processes, which must end as a group.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(child.stdout, 'data');
    const port = /"port":(\d+)/.exec(String(line))?.[1];
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    if (text !== JSON.stringify(expected)) throw new Error(`the worker responded: ${text}`);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid);
    await emulator.close();
  }
  const size = gzipSync(readFileSync(join(folder, 'out.mjs'))).length;
  return `gzip ${Math.round(size / 1000)} kB`;
}
