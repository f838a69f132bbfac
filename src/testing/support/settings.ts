import { optionNames } from '../../option-names.js';
import { checkNames } from '../known-names.js';

/** How the support interface of an emulator behaves. */
export interface SupportEmulatorOptions {
  /** Seconds of the emulator's clock that a token is good for. Default 3600. */
  readonly tokenLifetime?: number | undefined;
  /** How many records are in an answer to a search that says no `count`. Default 20. */
  readonly defaultCount?: number | undefined;
  /** How many records are in an answer at most, whatever `count` says. Default 100. */
  readonly maxCount?: number | undefined;
  /** The domain's timezone, in minutes ahead of UTC: dates are written in it. Default -180 (`-0300`). */
  readonly utcOffset?: number | undefined;
}

/** The same, complete. */
export type SupportSettings = {
  readonly [Name in keyof SupportEmulatorOptions]-?: NonNullable<SupportEmulatorOptions[Name]>;
};

const names = optionNames<SupportEmulatorOptions>()(
  'tokenLifetime defaultCount maxCount utcOffset',
);

/** @throws {TypeError} an unknown option @throws {RangeError} a count below 1 */
export function settingsOf(options: SupportEmulatorOptions): SupportSettings {
  checkNames('support', options, Object.keys(names));
  const { tokenLifetime = 3600, defaultCount = 20, maxCount = 100, utcOffset = -180 } = options;
  atLeastOne('defaultCount', defaultCount);
  atLeastOne('maxCount', maxCount);
  return { tokenLifetime, defaultCount, maxCount, utcOffset };
}

function atLeastOne(name: string, count: number): void {
  // A search that answers no records although there are some would never end.
  if (Number.isInteger(count) && count >= 1) return;
  throw new RangeError(`${name}: expected a whole number from 1 on, got ${count}`);
}
