// Adds builds for other platforms to package-lock.json if npm omitted them.
// Some registry mirrors don't have builds for other platforms, and some versions of npm drop these builds.
// `npm install` then writes a lock file that `npm ci` rejects. The added entries have the versions that their
// packages require. They have no `integrity`, because npm adds the hash when it installs a build.
// Run `npm run lock` after you change dependencies.
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

// `z.record` keeps the key order, so the file's other lines don't change.
const Packages = z.record(z.string(), z.record(z.string(), z.unknown()));
const Lock = z.record(z.string(), z.unknown());
const Wanted = z.record(z.string(), z.string()).default({});

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'win32',
];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

interface Platform {
  os: string[];
  cpu: string[];
  libc?: string[] | undefined;
}

/** Parses the platform from a build's name. Returns undefined if the name contains no platform. */
function parsePlatform(name: string): Platform | undefined {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.includes(word));
  const cpu = words.filter((word) => processors.includes(word));
  if (os.length === 0 || cpu.length === 0) return undefined;
  if (words.some((word) => word.startsWith('musl'))) return { os, cpu, libc: ['musl'] };
  const gnu = os.includes('linux') && words.some((word) => word.startsWith('gnu'));
  return gnu ? { os, cpu, libc: ['glibc'] } : { os, cpu };
}

const path = new URL('../package-lock.json', import.meta.url);
const lock = Lock.parse(JSON.parse(readFileSync(path, 'utf8')));
const packages = Packages.parse(lock.packages);
let added = 0;
for (const entry of Object.values(packages)) {
  const dev = entry.dev === true ? { dev: true } : {};
  for (const [name, version] of Object.entries(Wanted.parse(entry.optionalDependencies))) {
    const platform = parsePlatform(name);
    const place = `node_modules/${name}`;
    if (place in packages || platform === undefined || !/^\d/.test(version)) continue;
    const { cpu, os, libc } = platform;
    packages[place] = { version, cpu, ...dev, ...(libc ? { libc } : {}), optional: true, os };
    added += 1;
  }
}
const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
const completed = { ...lock, packages: Object.fromEntries(sorted) };
writeFileSync(path, `${JSON.stringify(completed, null, 2)}\n`);
console.log(`${added} builds for other platforms added`);
