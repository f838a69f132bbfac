import { onTestFinished } from 'vitest';
import { type DoctorReport, examine } from '../../src/doctor/index.js';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  type EmulatorAddress,
  type EmulatorOptions,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';

export async function start(
  options: EmulatorOptions = {},
): Promise<{ emulator: Emulator; at: EmulatorAddress }> {
  const emulator = createEmulator(options);
  const at = await emulator.listen();
  onTestFinished(() => emulator.close());
  return { emulator, at };
}

/** Functions that create the options for `examine`, keyed by API. */
export const examineOptions = {
  hosting: ({ hostingUrl }: Pick<EmulatorAddress, 'hostingUrl'>) => ({
    hosting: { baseUrl: hostingUrl, auth: { type: 'token', token: seeded.token } as const },
  }),
  support: ({ supportUrl }: Pick<EmulatorAddress, 'supportUrl'>) => ({
    support: { baseUrl: supportUrl, auth: supportSeed },
  }),
  console: ({ consoleUrl }: Pick<EmulatorAddress, 'consoleUrl'>) => ({
    console: { baseUrl: consoleUrl, auth: { licenseMd5: consoleSeed.licenseMd5 } },
  }),
};

export type Addresses = Pick<EmulatorAddress, 'hostingUrl' | 'supportUrl' | 'consoleUrl'>;

export async function diagnosis(
  family: keyof typeof examineOptions,
  at: Addresses,
): Promise<DoctorReport> {
  return await examine(examineOptions[family](at));
}

/** Formats problems as `name: problem`. */
export const listFindings = ({ families }: DoctorReport) =>
  families
    .flatMap(({ facts }) => facts)
    .flatMap(({ name, problem }) => (problem === undefined ? [] : `${name}: ${problem}`));
