// Where the appliance examples go to, from the environment: TRIFORGE_CONSOLE_URL (as
// https://code.example.com:8443), TRIFORGE_LICENSE and TRIFORGE_PACKAGE (paths), and, for an appliance
// with a certificate of its own, TRIFORGE_CA (path of a PEM file). TRIFORGE_INTERVAL: milliseconds
// between two questions, default 5000.
import { readFileSync } from 'node:fs';
import { type ConsoleAuth, ConsoleClient } from 'triforge/console';

export interface Place {
  readonly baseUrl: string;
  /** Paths. */
  readonly license: string;
  readonly package: string | undefined;
  readonly ca: string | undefined;
  /** Milliseconds. */
  readonly interval: number;
}

/** Undefined where the environment names no appliance. */
export function placeFromEnvironment(): Place | undefined {
  const { TRIFORGE_CONSOLE_URL, TRIFORGE_LICENSE, TRIFORGE_PACKAGE } = process.env;
  const { TRIFORGE_CA, TRIFORGE_INTERVAL } = process.env;
  if (TRIFORGE_CONSOLE_URL === undefined) return undefined;
  if (TRIFORGE_LICENSE === undefined) throw new Error('TRIFORGE_LICENSE: expected a path');
  return {
    baseUrl: TRIFORGE_CONSOLE_URL,
    license: TRIFORGE_LICENSE,
    package: TRIFORGE_PACKAGE,
    ca: TRIFORGE_CA,
    interval: Number(TRIFORGE_INTERVAL ?? 5000),
  };
}

export function connect({ baseUrl, ca }: Place, auth?: ConsoleAuth): ConsoleClient {
  const tls = ca === undefined ? undefined : { ca: readFileSync(ca) };
  return new ConsoleClient({ baseUrl, auth, tls, userAgent: 'appliance-example' });
}
