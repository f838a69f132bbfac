import type { ConfigurationStatus } from '../../console/models/status.js';
import type { ClockData } from '../clock.js';
import type { CaseData, ContactData } from '../support/records.js';
import type { Session, SupportUser } from '../support/sessions.js';
import type { HostingData } from './hosting-data.js';

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
