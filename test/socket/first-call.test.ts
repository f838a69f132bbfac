import { execFile } from 'node:child_process';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { listening, serveRaw } from '../support/server.js';
import { serverCertificate, serverKey } from './private-authority.js';

const program = `
  import { HostingClient } from './src/hosting/index.ts';
  import * as models from './src/schema/zod.ts';
  const [baseUrl, proxy] = process.argv.slice(1);
  const tls = { rejectUnauthorized: false };
  const client = new HostingClient({ baseUrl, proxy, tls, retry: false });
  const atStart = models.isLoaded;
  const answer = await client.request({ path: 'x' });
  await client.close();
  console.log(JSON.stringify({ atStart, answer }));`;

// A process of its own: in this one the models are loaded already, and all of undici is.
test('the first call of a program goes through a proxy, though it loads what it needs by then', async () => {
  const server = createServer({ cert: serverCertificate, key: serverKey }, (_request, response) =>
    response.end('[1]'),
  );
  const { port } = await listening(server);
  const proxy = await serveRaw((near) => {
    near.removeAllListeners('data');
    const far: Socket = connect(port, '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '--eval',
    program,
    '--',
    `https://localhost:${port}/`,
    proxy.origin,
  ]);
  expect(JSON.parse(stdout)).toEqual({ atStart: false, answer: [1] });
  expect(proxy.log).toEqual([`CONNECT localhost:${port}`]);
});
