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

/** Applies the defaults. @throws {TypeError} if an option is unknown. */
export function resolveSupportSettings(options: SupportEmulatorOptions): SupportSettings {
  checkNames('support', options, Object.keys(names));
  const { tokenLifetime = 3600, defaultCount = 20, maxCount = 100, utcOffset = -180 } = options;
  return { tokenLifetime, defaultCount, maxCount, utcOffset };
}
