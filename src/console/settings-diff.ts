import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../schema/unknown-values.js';

/** One setting that two versions of the settings do not share. */
export interface SettingsChange {
  /** As `enterprise.smtp.port`. */
  readonly path: string;
  /** Undefined where it was not there; `***` for a secret. */
  readonly before: unknown;
  /** Undefined where it is no longer there; `***` for a secret. */
  readonly after: unknown;
}

/** Names of settings that hold a secret, or may. */
const secretName =
  /pass(?:word|wd|phrase|code|$|_)|secret|token|credential|api_?key|(?:^|_)keys?(?:$|_)|cert|community|bind_dn|private/i;

/** Names that match above, and are none. */
const harmlessName = new Set(['private_mode', 'key_id', 'public_key_data']);

/** Values that are secret whatever their name: private keys, and URLs with a password. */
const secretValue = /PRIVATE KEY|:\/\/[^/?#\s]*:[^/?#\s]*@/;

const mask = '***';

/**
 * What an update would change, for a dry run: compares plain settings deeply, arrays as a whole. That a
 * secret changes is told, and what it is is not.
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

/** Settings as they may be shown. */
export function maskSettings(value: unknown, secret = false): unknown {
  if (value === undefined || value === null) return value;
  if (secret) return mask;
  if (typeof value === 'string') return secretValue.test(value) ? mask : value;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => maskSettings(item));
    // The very array where nothing is masked: who compares can tell.
    return isDeepStrictEqual(items, value) ? value : items;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskSettings(inner, isSecret(name))]),
  );
}
