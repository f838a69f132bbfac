import * as z from 'zod/mini';
import { toDotPath } from 'zod/v4/core';
import type { ConfigurationStatus } from '../../console/models/status.js';
import { deepestJson, isDeeper } from '../bodies.js';
import {
  count,
  dictionary,
  findProblems,
  list,
  mostProblems,
  name,
  text,
  texts,
  time,
} from '../checks.js';
import type { ClockData } from '../clock.js';
import { createCheck } from '../record.js';
import { type CaseData, type ContactData, caseKind, contactKind } from '../support/records.js';
import type { Session, SupportUser } from '../support/sessions.js';
import { type HostingData, hostingCheck } from './hosting.js';

const Support = z.partial(
  z.strictObject({
    users: list(z.strictObject({ userName: name(), apiKey: name(), password: name() })),
    campaigns: list(name()),
    contacts: list(createCheck(contactKind)),
    cases: list(createCheck(caseKind)),
    sessions: list(z.strictObject({ token: name(), userName: name(), expires: z.number() })),
  }),
);

const Console = z.partial(
  z.strictObject({
    licenseMd5: text(),
    settings: dictionary(z.json()),
    maintenance: time(),
    standing: z.strictObject({
      status: text(),
      progress: z.array(z.looseObject({ key: text(), status: text() })),
    }),
    connections: dictionary(count()),
    keys: texts(),
  }),
);

const WorldSchema = z.partial(
  z.strictObject({
    now: time(),
    ahead: z.number(),
    hosting: hostingCheck,
    support: Support,
    console: Console,
  }),
);

/**
 * Validates a world from any source.
 * @param where prefix of the error messages.
 * @throws {Error} if a field is invalid. The message names the paths of up to 10 invalid fields.
 */
export function checkWorld(data: unknown, where: string): Dataset {
  // Checking deeper data would overflow the stack.
  if (isDeeper(data, deepestJson)) {
    throw new Error(`${where}: must have at most ${deepestJson} levels of nesting`);
  }
  const problems = findProblems(WorldSchema, data);
  // Returns the input, because zod's copy of a record omits `__proto__`, which is a valid file name.
  // `as`: the schema matches the interfaces, but zod types optional members differently.
  if (problems.length === 0) return data as Dataset;
  const lines = problems.slice(0, mostProblems).map(({ path, message }) => {
    return `${where}: ${toDotPath(path) || 'the top level'}: ${message}`;
  });
  if (problems.length > mostProblems) lines.push(`${where}: further problems`);
  throw new Error(lines.join('\n'));
}

/**
 * State of an emulator as plain data. `emulator.export()` returns it, and files for `--seed` and
 * `createEmulator({ seed })` contain it. Omitted fields get the defaults of `addUser`, `addRepo`
 * and similar methods. Times are in ISO 8601.
 */
export interface Dataset extends ClockData {
  /** State of the hosting API. */
  readonly hosting?: HostingData | undefined;
  /** State of the support API. */
  readonly support?: SupportData | undefined;
  /** State of the appliance. */
  readonly console?: ConsoleData | undefined;
}

/** State of the support API. */
export interface SupportData {
  /** API users. */
  readonly users?: readonly SupportUser[] | undefined;
  /** Names of the campaigns. */
  readonly campaigns?: readonly string[] | undefined;
  /** Contacts, in creation order. */
  readonly contacts?: readonly ContactData[] | undefined;
  /** Cases, in creation order. */
  readonly cases?: readonly CaseData[] | undefined;
  /** Sessions. */
  readonly sessions?: readonly Session[] | undefined;
}

/** State of the Management Console, except for a configuration run in progress. */
export interface ConsoleData {
  /** MD5 hash of the license that authenticates requests. Omitted on an appliance without a license. */
  readonly licenseMd5?: string | undefined;
  /** Settings, which are merged into a new appliance's settings. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Start of maintenance. Omitted if maintenance is off. */
  readonly maintenance?: string | undefined;
  /** Status of the last configuration run. */
  readonly standing?: ConfigurationStatus | undefined;
  /** Open connections by service. */
  readonly connections?: Readonly<Record<string, number>> | undefined;
  /** Public keys in the format of an `authorized_keys` file. */
  readonly keys?: readonly string[] | undefined;
}
