import { onTestFinished } from 'vitest';
import { collectFindings, type DoctorReport, examine } from '../../src/doctor/index.js';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  type EmulatorAddress,
  type EmulatorOptions,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';

/** Starts an emulator with at least one record for each endpoint. */
export async function healthy(
  options: EmulatorOptions = {},
): Promise<{ emulator: Emulator; at: EmulatorAddress }> {
  const emulator = createEmulator(options);
  const rocket = `${seeded.owner}/${seeded.repo}` as const;
  emulator.hosting.addHook(rocket, { url: 'http://hooks.example.test/' });
  const release = emulator.hosting.addRelease(rocket, 'v9.9.9');
  emulator.hosting.addAsset(release, 'rocket.zip', { content: Buffer.from('zip') });
  const at = await emulator.listen();
  onTestFinished(() => emulator.close());
  return { emulator, at };
}

export const repository = `${seeded.owner}/${seeded.repo}`;

/** Functions that create the options for `examine`, keyed by API. */
export const examineOptions = {
  hosting: ({ hostingUrl }: Pick<EmulatorAddress, 'hostingUrl'>) => ({
    hosting: { baseUrl: hostingUrl, auth: { type: 'token', token: seeded.token } as const },
    repository,
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

/** Formats findings as `where: what`. */
export const listFindings = ({ families }: DoctorReport) =>
  collectFindings(families).map(({ where, what }) => `${where}: ${what}`);
