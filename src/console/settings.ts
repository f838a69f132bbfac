import { isDeepStrictEqual } from 'node:util';
import { suggestName } from '../option-names.js';
import { definition, type ZodSchema } from '../schema/check.js';
import { ref } from '../schema/model.js';
import { describeKind, isRecord } from '../schema/unknown-values.js';
import type { Call, JsonCall } from '../transport/api-client.js';
import { serializeJson } from '../transport/request/body.js';
import { defineEndpoint, json, noContent } from '../transport/request/endpoint.js';
import { collectLeaves } from '../transport/request/fields.js';
import { createInputError, rule } from '../transport/request/input.js';
import { type ConsoleRequestOptions, ConsoleResource, jsonTextSchema } from './common.js';
import { ConsoleSettings } from './models/index.js';

/** `T` with optional properties at every depth. Arrays must be complete. */
type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** Settings to change. Omitted settings aren't sent and keep their values. */
export type ConsoleSettingsUpdate = DeepPartial<ConsoleSettings>;

const getEndpoint = defineEndpoint<object>('GET /setup/api/settings')({
  operation: 'settings.get',
  input: {},
  response: json(ConsoleSettings),
});

/** Input of `settings.update`, with the settings in one field. */
interface SettingsInput {
  readonly settings: ConsoleSettingsUpdate;
}

const updateEndpoint = defineEndpoint<SettingsInput>('PUT /setup/api/settings')({
  operation: 'settings.update',
  // The settings are validated when they are serialized.
  input: { settings: rule('an object with settings', () => true, jsonTextSchema) },
  serialize: ({ settings }, { vendor }) => ({
    settings: settingsText('settings.update', settings, vendor),
  }),
  encoding: 'form',
  secret: ({ settings }) => secretsIn(settings),
  retry: 'unsent',
  response: noContent,
});

/** Settings of the appliance. */
export class Settings extends ConsoleResource {
  /**
   * `GET /setup/api/settings`
   *
   * Returns all settings, including passwords and private keys. Don't log the result.
   * @example const { enterprise } = await appliance.settings.get();
   */
  get(options?: ConsoleRequestOptions): JsonCall<ConsoleSettings> {
    return this.api.call(getEndpoint, {}, options);
  }

  /**
   * `PUT /setup/api/settings`
   *
   * Updates settings. The changes take effect at the next `configure()`, which usually doesn't need
   * `complete: true`. In keys that start with `service_`, the client replaces `service` with its
   * `vendor`, as in `github_hostname`.
   * @throws {InvalidRequestError} if the input is empty, a name is unknown, or a setting is
   * passed with both the `service_` and the `vendor` prefix.
   * @example await appliance.settings.update({ enterprise: { private_mode: true } });
   */
  update(settings: ConsoleSettingsUpdate, options?: ConsoleRequestOptions): Call<void> {
    return this.api.call(updateEndpoint, { settings }, options);
  }
}

/**
 * Checks the names of all groups and fields.
 * @throws {InvalidRequestError} if a name is unknown, because a misspelled name would change
 * nothing.
 */
function checkNames(
  operation: string,
  settings: Readonly<Record<string, unknown>>,
  vendor: string,
  schema: ZodSchema = ref(ConsoleSettings),
  path = 'settings',
): void {
  let def = definition(schema);
  while ('innerType' in def) def = definition(def.innerType);
  if (def.type !== 'object') return;
  const fields = new Map(Object.entries(def.shape));
  for (const [name, value] of Object.entries(settings)) {
    const field = fields.get(name) ?? fields.get(name.replace(`${vendor}_`, 'service_'));
    const inner = `${path}.${name}`;
    if (field && isRecord(value)) checkNames(operation, value, vendor, field, inner);
    if (field || value === undefined) continue;
    const known = [...fields.keys()];
    const why = `is unknown. ${suggestName(name, known)}Known names: ${known.join(', ')}. To send a setting that only a newer appliance knows, use request('PUT /setup/api/settings', { settings: JSON.stringify(…) }).`;
    throw createInputError(inner, why, operation);
  }
}

/**
 * Serializes settings to JSON, with the vendor name in their keys.
 * @throws {InvalidRequestError} if the settings aren't an object, are empty, or contain an unknown
 * setting or a setting under two names.
 */
export function settingsText(
  operation: string,
  settings: ConsoleSettingsUpdate,
  vendor: string,
): string {
  if (!isRecord(settings)) {
    const why = `must be an object such as { enterprise: { … } } (got ${describeKind(settings)})`;
    throw createInputError('settings', why, operation);
  }
  if (Object.values(settings).every((value) => value === undefined)) {
    throw createInputError('settings', 'must contain at least one setting (got none)', operation);
  }
  checkNames(operation, settings, vendor);
  const { enterprise } = settings;
  const renamed = isRecord(enterprise)
    ? { ...settings, enterprise: withVendor(operation, enterprise, vendor) }
    : settings;
  return serializeJson(renamed, `${operation}: settings`, 'settings');
}

function withVendor(
  operation: string,
  enterprise: Readonly<Record<string, unknown>>,
  vendor: string,
): Readonly<Record<string, unknown>> {
  const renamed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(enterprise)) {
    if (value === undefined) continue;
    const key = name.replace(/^service_/, `${vendor}_`);
    if (Object.hasOwn(renamed, key)) {
      const why = `must not be passed twice, as ${key} and with the prefix service_`;
      throw createInputError(`settings.enterprise.${name}`, why, operation);
    }
    renamed[key] = value;
  }
  return renamed;
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

function isSecret(name: string): boolean {
  return secretName.test(name) && !harmlessName.has(name);
}

/** Returns the secrets in settings. A server can echo them, so errors mask them. */
export function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return secretValue.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(secretsIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    isSecret(name) ? collectLeaves(inner) : secretsIn(inner),
  );
}

/** Setting that differs between two versions of the settings. */
export interface SettingsChange {
  /** Path of the setting, for example `enterprise.smtp.port`. */
  readonly path: string;
  /** Value before the change. Undefined if the setting was absent. `***` if it contains a secret. */
  readonly before: unknown;
  /** Value after the change. Undefined if the setting is absent. `***` if it contains a secret. */
  readonly after: unknown;
}

/**
 * Lists the settings that an update would change, for a dry run. Compares objects deeply and other
 * values, such as arrays, as a whole. Shows that a secret changes, but not its value.
 */
export function diffSettings(before: unknown, after: unknown): SettingsChange[] {
  return diff([], before, after);
}

function diff(path: readonly string[], before: unknown, after: unknown): SettingsChange[] {
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) =>
      diff([...path, name], getOwn(before, name), getOwn(after, name)),
    );
  }
  if (isDeepStrictEqual(before, after)) return [];
  const show = (value: unknown) => {
    const isShown = value === undefined || value === null;
    return isShown || (!path.some(isSecret) && secretsIn(value).length === 0) ? value : '***';
  };
  return [{ path: path.join('.'), before: show(before), after: show(after) }];
}

function getOwn(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
