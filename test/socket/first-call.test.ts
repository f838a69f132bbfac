import { execFile } from 'node:child_process';
import { createServer } from 'node:https';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listening } from '../support/server.js';
import { keys, serveTunnels } from './tls-servers.js';

const program = `
  import { HostingClient } from './src/hosting/index.ts';
  const [baseUrl, proxy] = process.argv.slice(1);
  const tls = { rejectUnauthorized: false };
  const client = new HostingClient({ baseUrl, proxy, tls, retry: false });
  const answer = await client.request('GET x');
  await client.close();
  console.log(JSON.stringify(answer));`;

// The program runs in its own process, because this process has already loaded all of undici.
test("a program's first call loads the proxy code and uses the proxy", async () => {
  const server = createServer(keys, (_request, response) => response.end('[1]'));
  const { port } = await listening(server);
  const proxy = await serveTunnels();
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    program,
    '--',
    `https://localhost:${port}/`,
    `http://127.0.0.1:${proxy.port}`,
  ]);
  expect(JSON.parse(stdout)).toEqual([1]);
  expect(proxy.requests).toEqual([`localhost:${port}`]);
});
