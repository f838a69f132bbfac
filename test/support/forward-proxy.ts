import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A forward proxy that requires a username and password, run as a separate process. */
export interface ForwardProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** URL with username and password. */
  readonly url: string;
  /** Returns the proxy's log output. */
  log(): string;
  close(): Promise<void>;
}

/** Password with characters that a URL must encode. */
const proxyPassword = 'hush/99:@x';

const binary = '/usr/sbin/squid';
const helper = '/usr/lib/squid/basic_ncsa_auth';

/** Why the proxy can't be started. Undefined if Squid is installed. */
export const missing = [binary, helper].every((path) => existsSync(path))
  ? undefined
  : 'squid is not installed';

/** Writes Squid's configuration to the folder and returns the command's arguments. */
function configure(port: number, folder: string): readonly string[] {
  const hash = execFileSync('openssl', ['passwd', '-apr1', '-stdin'], { input: proxyPassword });
  writeFileSync(join(folder, 'users'), `ann:${hash}`);
  // If root starts Squid, Squid switches to another user. That user must be able to write to
  // the folder.
  const { uid } = userInfo();
  if (uid === 0) chmodSync(folder, 0o777);
  const lines = [
    `http_port 127.0.0.1:${port}`,
    ...(uid === 0 ? ['cache_effective_user proxy'] : []),
    'pid_filename none',
    'cache deny all',
    'cache_mem 1 MB',
    'max_filedescriptors 512',
    'pinger_enable off',
    'netdb_filename none',
    `access_log stdio:${folder}/log`,
    'buffered_logs off',
    `cache_log ${folder}/messages`,
    `coredump_dir ${folder}`,
    `auth_param basic program ${helper} ${folder}/users`,
    'auth_param basic children 1 startup=1 idle=1',
    'acl known proxy_auth REQUIRED',
    'http_access allow known',
    'http_access deny all',
  ];
  writeFileSync(join(folder, 'conf'), `${lines.join('\n')}\n`);
  return ['--foreground', '-N', '-f', join(folder, 'conf')];
}

/** Starts Squid on a free port of 127.0.0.1. */
export async function startProxy(): Promise<ForwardProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'triforge-proxy-'));
  const deadline = performance.now() + 25_000;
  let output = '';
  // Retries, because another process may take the port first.
  while (performance.now() < deadline) {
    const port = await freePort();
    const child = spawn(binary, configure(port, folder), { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const ended = once(child, 'exit');
    while (child.exitCode === null && performance.now() < deadline) {
      if (await accepts(port)) {
        return {
          origin: `http://127.0.0.1:${port}`,
          url: `http://ann:${encodeURIComponent(proxyPassword)}@127.0.0.1:${port}`,
          log: () => readFileSync(join(folder, 'log'), 'utf8'),
          close: async () => {
            child.kill('SIGKILL');
            await ended;
            rmSync(folder, { recursive: true, force: true });
          },
        };
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
  throw new Error(`squid did not start: ${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
