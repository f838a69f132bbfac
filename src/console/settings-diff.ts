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
  /password|passwd|secret|token|(?:^|_)key(?:$|_)|_key_data|cert|community|bind_dn|private/i;

/** Names that match above, and are none. */
const harmlessName = new Set(['private_mode', 'key_id', 'public_key_data']);

const mask = '***';

/**
 * What an update would change, for a dry run: compares plain settings deeply, arrays as a whole. That a
 * secret changes is told, and what it is is not.
 */
export function diffSettings(before: unknown, after: unknown): SettingsChange[] {
  return diff('', before, after, false);
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function diff(path: string, before: unknown, after: unknown, secret: boolean): SettingsChange[] {
  if (isGroup(before) && isGroup(after)) {
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
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [{ path, before: shown(before, secret), after: shown(after, secret) }];
}

function isSecret(name: string): boolean {
  return secretName.test(name) && !harmlessName.has(name);
}

function shown(value: unknown, secret: boolean): unknown {
  if (value === undefined || value === null) return value;
  if (secret) return mask;
  if (!isGroup(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shown(inner, isSecret(name))]),
  );
}
