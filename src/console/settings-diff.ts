import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../schema/unknown-values.js';

/** Setting that differs between two versions of the settings. */
export interface SettingsChange {
  /** Path of the setting, for example `enterprise.smtp.port`. */
  readonly path: string;
  /** Value before the change. Undefined if the setting was absent. `***` for a secret. */
  readonly before: unknown;
  /** Value after the change. Undefined if the setting is absent. `***` for a secret. */
  readonly after: unknown;
}

/** Matches the names of settings that contain, or may contain, a secret. */
const secretName =
  /pass(?:word|wd|phrase|code|$|_)|secret|token|credential|api_?key|(?:^|_)keys?(?:$|_)|cert|community|bind_dn|private/i;

/** Names of settings that match {@link secretName} but contain no secret. */
const harmlessName = new Set(['private_mode', 'key_id', 'public_key_data']);

/**
 * Matches values that are secret regardless of their name: private keys and URLs with a password.
 */
const secretValue = /PRIVATE KEY|:\/\/[^/?#\s]*:[^/?#\s]*@/;

const mask = '***';

/**
 * Lists the settings that an update would change, for a dry run. Compares objects deeply and arrays
 * as a whole. For a secret, reports the change but not the value.
 */
export function diffSettings(before: unknown, after: unknown): SettingsChange[] {
  return diff('', before, after, false);
}

function diff(path: string, before: unknown, after: unknown, secret: boolean): SettingsChange[] {
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      diff(
        path === '' ? name : `${path}.${name}`,
        Object.hasOwn(before, name) ? before[name] : undefined,
        Object.hasOwn(after, name) ? after[name] : undefined,
        secret || isSecret(name),
      ),
    );
  }
  if (isDeepStrictEqual(before, after)) return [];
  return [{ path, before: maskSettings(before, secret), after: maskSettings(after, secret) }];
}

function isSecret(name: string): boolean {
  return secretName.test(name) && !harmlessName.has(name);
}

export function maskSettings(value: unknown, secret = false): unknown {
  if (value === undefined || value === null) return value;
  if (secret) return mask;
  if (typeof value === 'string') return secretValue.test(value) ? mask : value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => maskSettings(item));
    // If nothing is masked, return the same array so that callers can compare it with `===`.
    return isDeepStrictEqual(items, value) ? value : items;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskSettings(inner, isSecret(name))]),
  );
}
