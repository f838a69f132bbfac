import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fixedClock } from './clock.js';
import { type EmulatorTlsOptions, parseOrigin, type SiteOptions } from './sites.js';
import { checkVendor } from './vendor.js';

/** Text of `--help`. */
export const usage = `triforge-emulator: an emulator of the hosting, support and Management Console APIs

  triforge-emulator [options]                  serve until stopped
  triforge-emulator [options] -- <command>     run a command whose clients use fromEnv(), and
                                               exit when the command ends

Address
  --port <number>     0 for a free port; default 4010, or a free port with a command
  --host <address>    address to listen on; default 127.0.0.1, which only this machine can reach
  --origin <origin>   origin of URLs in responses, such as https://code.test behind a proxy
  --tls-cert <file>, --tls-key <file>
                      serve HTTPS with this certificate and key (PEM)
  --allow-host <name>, --allow-origin <origin>
                      also accept this Host name, or requests from this origin; repeatable

Data
  --clock <time>      fixed time, such as 2014-06-01T12:00:00Z; default: the running system time
  --seed <file>       start with the world in a YAML or JSON file instead of the seed world
  --empty             start without data instead of with the seed world
  --state <file>      load the state from this file if it exists, and save every change to it

Behavior
  --vendor <name>     vendor name in media types and header names; default service

Output
  --quiet             do not log requests
  --version           print the version
  -h, --help          print this help
`;

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean', default: false } as const;

/** Parses the command line. @throws {Error} if a flag is invalid. The message names the flag and its rule. */
export function readOptions(args: readonly string[]) {
  const dashes = args.indexOf('--');
  const command = dashes < 0 ? undefined : args.slice(dashes + 1);
  if (command?.length === 0) throw new Error('--: must be followed by a command');
  const { values } = parseArgs({
    args: command === undefined ? [...args] : args.slice(0, dashes),
    options: {
      port: { type: 'string', default: command === undefined ? '4010' : '0' },
      host: { type: 'string', default: '127.0.0.1' },
      origin: text,
      'tls-cert': text,
      'tls-key': text,
      'allow-host': texts,
      'allow-origin': texts,
      clock: text,
      seed: text,
      empty: flag,
      state: text,
      vendor: { type: 'string', default: 'service' },
      quiet: flag,
      version: flag,
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { host, vendor, clock, seed, empty, state, quiet, version, help } = values;
  checkVendor(vendor, '--vendor');
  if (clock !== undefined) fixedClock(clock, '--clock');
  if (seed !== undefined && empty) throw new Error('--seed: must not be combined with --empty');
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port: must be a whole number from 0 to 65535 (got ${values.port})`);
  }
  const sites: SiteOptions = {
    allowHosts: values['allow-host'],
    allowOrigins: values['allow-origin'],
    origin: values.origin === undefined ? undefined : parseOrigin(values.origin, '--origin'),
    tls: readTlsFiles(values['tls-cert'], values['tls-key']),
  };
  return {
    emulator: { vendor, ...sites },
    tlsCert: values['tls-cert'],
    ...{ port, host, clock, seed, empty, state, quiet, version, help, command },
  };
}

function readTlsFiles(
  cert: string | undefined,
  key: string | undefined,
): EmulatorTlsOptions | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new Error('--tls-cert, --tls-key: must be set together');
  }
  return { cert: readFileSync(cert), key: readFileSync(key) };
}
