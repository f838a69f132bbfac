import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { everything } from './bundlers.js';
import { run } from './command.js';
import { emptyProject, install } from './consumer.js';

const route = `${everything}
export const dynamic = 'force-dynamic';
export async function GET() {
  const failed = await main();
  return new Response(failed.length === 0 ? 'works' : failed.join());
}
`;
const layout = `export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}
`;

/** Builds a Next.js app whose route handler uses the package, and sends a request to the route. */
export async function runInNext(folder: string, tarball: string): Promise<void> {
  emptyProject(folder);
  install(folder, [tarball, 'next@16', 'react@19', 'react-dom@19']);
  mkdirSync(join(folder, 'app/check'), { recursive: true });
  writeFileSync(join(folder, 'app/check/route.js'), route);
  writeFileSync(join(folder, 'app/layout.js'), layout);
  const next = join(folder, 'node_modules/next/dist/bin/next');
  run(process.execPath, [next, 'build'], folder);
  const server = spawn(process.execPath, [next, 'start', '-p', '0'], { cwd: folder });
  try {
    for await (const line of createInterface(server.stdout)) {
      const url = /http:\/\/localhost:\d+/.exec(line)?.[0];
      if (url === undefined) continue;
      const text = await (await fetch(`${url}/check`)).text();
      if (text !== 'works') throw new Error(text);
      return;
    }
    throw new Error('next start ended');
  } finally {
    server.kill();
  }
}
