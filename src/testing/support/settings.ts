import { optionNames } from '../../option-names.js';
import { checkNames } from '../known-names.js';

/** Settings of the emulator's support API. */
export interface SupportEmulatorOptions {
  /** Token lifetime in seconds, on the emulator's clock. Default: 3600. */
  readonly tokenLifetime?: number | undefined;
  /** Number of records in the response to a search without `count`. Default: 20. */
  readonly defaultCount?: number | undefined;
  /** Maximum number of records in a response, even if `count` is larger. Default: 100. */
  readonly maxCount?: number | undefined;
  /** UTC offset of dates, in minutes. Default: -180 (`-0300`). */
  readonly utcOffset?: number | undefined;
}

/** {@link SupportEmulatorOptions} with all defaults applied. */
export type SupportSettings = {
  readonly [Name in keyof SupportEmulatorOptions]-?: NonNullable<SupportEmulatorOptions[Name]>;
};

const names = optionNames<SupportEmulatorOptions>()(
  'tokenLifetime defaultCount maxCount utcOffset',
);

/** Applies the defaults. @throws {TypeError} if an option is unknown. @throws {RangeError} if a count is below 1. */
export function resolveSupportSettings(options: SupportEmulatorOptions): SupportSettings {
  checkNames('support', options, Object.keys(names));
  const { tokenLifetime = 3600, defaultCount = 20, maxCount = 100, utcOffset = -180 } = options;
  atLeastOne('support.defaultCount', defaultCount);
  atLeastOne('support.maxCount', maxCount);
  return { tokenLifetime, defaultCount, maxCount, utcOffset };
}

function atLeastOne(name: string, count: number): void {
  // Pages without records would make clients page forever.
  if (Number.isInteger(count) && count >= 1) return;
  throw new RangeError(`${name}: must be a whole number of at least 1 (got ${count})`);
}
