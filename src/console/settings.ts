import { InvalidRequestError } from '../errors/index.js';
import { isRecord, memberOf } from '../schema/unknown-values.js';
import type { Call, JsonCall } from '../transport/call.js';
import { jsonText } from '../transport/request/body.js';
import { endpoint, json, nothing } from '../transport/request/endpoint.js';
import { kindOf, rule } from '../transport/request/input.js';
import { leavesOf } from '../transport/request/leaves.js';
import { type ConsoleRequestOptions, ConsoleResource } from './common.js';
import { ConsoleSettings } from './models/index.js';
import { maskSettings } from './settings-diff.js';

/** Any part of a `T`, at any depth; arrays are given whole. */
type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T;

/** Settings to change: what is not given stays as it is, and is not sent. */
export type ConsoleSettingsUpdate = Part<ConsoleSettings>;

const getEndpoint = endpoint<object>('GET /setup/api/settings')({
  operation: 'settings.get',
  input: {},
  answer: json(ConsoleSettings),
});

/** The settings as they go out. */
interface SettingsInput {
  readonly settings: ConsoleSettingsUpdate;
}

const updateEndpoint = endpoint<SettingsInput>('PUT /setup/api/settings')({
  operation: 'settings.update',
  // What they must be is checked where they become text.
  input: { settings: rule('settings', () => true) },
  check: ({ settings }) => checkGroups(settings),
  serialize: ({ settings }, { vendor }) => ({
    settings: settingsText('settings.update', settings, vendor),
  }),
  encoding: 'form',
  secret: ({ settings }) => secretsIn(settings),
  retry: 'unsent',
  answer: nothing,
});

/** Settings of the appliance. */
export class Settings extends ConsoleResource {
  /**
   * `GET /setup/api/settings`
   *
   * All settings, passwords and private keys among them: mind where you write them to.
   * @example const { enterprise } = await appliance.settings.get();
   */
  get(options?: ConsoleRequestOptions): JsonCall<ConsoleSettings> {
    return this.api.call(getEndpoint, {}, options);
  }

  /**
   * `PUT /setup/api/settings`
   *
   * Changes settings. They take effect with the next `configure()`, which normally need not be complete.
   * Keys that begin with `service_` go out with the client's `vendor` word.
   * @throws {InvalidRequestError} if no setting is passed, or a group other than `enterprise` and `run_list`.
   * @example await appliance.settings.update({ enterprise: { private_mode: true } });
   */
  update(settings: ConsoleSettingsUpdate, options?: ConsoleRequestOptions): Call<void> {
    return this.api.call(updateEndpoint, { settings }, options);
  }
}

/** Top-level groups of the settings. */
const groups = new Set<string>(['enterprise', 'run_list'] satisfies (keyof ConsoleSettings)[]);

/** @throws {InvalidRequestError} if a group is unknown: a misspelled one would change nothing. */
function checkGroups(settings: unknown): void {
  for (const [name, value] of isRecord(settings) ? Object.entries(settings) : []) {
    if (groups.has(name) || value === undefined) continue;
    throw new InvalidRequestError(
      `settings.update: settings: unknown group '${name}'; known are: ${[...groups].join(', ')}`,
      { field: `settings.${name}` },
    );
  }
}

/**
 * Settings as JSON text, with the vendor's word in their keys.
 * @throws {InvalidRequestError} no object, nothing in it to send, or one setting under two names.
 */
export function settingsText(
  operation: string,
  settings: ConsoleSettingsUpdate,
  vendor: string,
): string {
  if (!isRecord(settings)) {
    throw new InvalidRequestError(
      `${operation}: settings: expected an object such as { enterprise: { … } }, got ${kindOf(settings)}`,
      { field: 'settings' },
    );
  }
  if (Object.values(settings).every((value) => value === undefined)) {
    throw new InvalidRequestError(`${operation}: settings: nothing to change is given`, {
      field: 'settings',
    });
  }
  const { enterprise } = settings;
  const renamed = isRecord(enterprise)
    ? { ...settings, enterprise: withVendor(operation, enterprise, vendor) }
    : settings;
  return jsonText(renamed, `${operation}: settings`, 'settings');
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
      const field = `settings.enterprise.${name}`;
      throw new InvalidRequestError(`${operation}: ${field}: '${key}' is given twice`, { field });
    }
    renamed[key] = value;
  }
  return renamed;
}

/** Every value that must not show though a server may echo it: those that `maskSettings` masks. */
export function secretsIn(settings: unknown): string[] {
  return masked(settings, maskSettings(settings));
}

function masked(value: unknown, shown: unknown): string[] {
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([name, inner]) => masked(inner, memberOf(shown, name)));
  }
  return shown === value ? [] : leavesOf(value);
}
