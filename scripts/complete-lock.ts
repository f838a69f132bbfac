// Adds to package-lock.json the builds for other platforms that npm left out.
// `npm install` writes only what it could look up: a registry mirror without the builds for other
// platforms, or an npm that drops them, leaves a lock file that `npm ci` then refuses. The added
// entries have the exact versions their packages ask for, and no integrity: npm adds it where it
// installs one. Run by `npm run lock` after every change of dependencies.
import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

// Records keep the order of the keys, so that only what is added differs.
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

/** What a build's name says of where it runs, as npm writes it; nothing if it names no platform. */
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
