import { InvalidRequestError } from '../errors.js';
import { jsonText } from '../transport/body.js';
import type { Call } from '../transport/call.js';
import { endpoint, json, nothing } from '../transport/endpoint.js';
import { filledText, kindOf } from '../transport/input.js';
import { buildRequest } from '../transport/request-spec.js';
import type { ConsoleCaller, ConsoleRequestOptions } from './caller.js';
import { ConsoleSettings } from './models/index.js';
import { diffSettings } from './settings-diff.js';

/** Any part of a `T`, at any depth; arrays are given whole. */
type Part<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: Part<T[K]> | undefined }
    : T;

/** Settings to change: what is not given stays as it is, and is not sent. */
export type ConsoleSettingsUpdate = Part<ConsoleSettings>;

const getEndpoint = endpoint<object>()({
  operation: 'settings.get',
  method: 'GET',
  path: '/setup/api/settings',
  input: {},
  answer: json(ConsoleSettings),
});

/** The settings as they go out. */
interface UpdateText {
  readonly settings: string;
}

const updateEndpoint = endpoint<UpdateText>()({
  operation: 'settings.update',
  method: 'PUT',
  path: '/setup/api/settings',
  input: { settings: filledText },
  encoding: 'form',
  answer: nothing,
});

/** Settings of the appliance (contract: Console settings). */
export class Settings {
  readonly #caller: ConsoleCaller;

  constructor(caller: ConsoleCaller) {
    this.#caller = caller;
  }

  /** All settings, passwords and private keys among them: mind where you write them to. */
  get(options?: ConsoleRequestOptions): Call<ConsoleSettings> {
    return this.#caller.call(getEndpoint, {}, options);
  }

  /**
   * Changes settings. They take effect with the next `configure()`, which normally need not be complete.
   * Keys that the contract writes with `service_` go out with the client's `vendor` word.
   * @throws {InvalidRequestError} nothing to change is given, or not as an object.
   */
  update(settings: ConsoleSettingsUpdate, options?: ConsoleRequestOptions): Call<void> {
    const { base, media, accept } = this.#caller.transport.settings;
    return this.#caller.send(
      (headers) => {
        const text = settingsText(updateEndpoint.operation, settings, media.vendor);
        const context = { base, media, accept, headers };
        const spec = buildRequest(updateEndpoint, { settings: text }, context);
        return { ...spec, secrets: secretsIn(settings) };
      },
      () => nothing,
      options,
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
  if (!isGroup(settings)) {
    throw new InvalidRequestError(
      `${operation}: settings: expected an object such as { enterprise: { … } }, got ${kindOf(settings)}`,
      'settings',
    );
  }
  if (Object.values(settings).every((value) => value === undefined)) {
    throw new InvalidRequestError(`${operation}: settings: nothing to change is given`, 'settings');
  }
  const { enterprise } = settings;
  const renamed = isGroup(enterprise)
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
      throw new InvalidRequestError(`${operation}: ${field}: '${key}' is given twice`, field);
    }
    renamed[key] = value;
  }
  return renamed;
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value that must not show though a server may echo it: those that `diffSettings` masks. */
export function secretsIn(settings: unknown): string[] {
  const [change] = diffSettings({}, { settings });
  return masked(settings, change?.after);
}

function masked(value: unknown, shown: unknown): string[] {
  if (!isGroup(value)) return shown === value ? [] : textsIn(value);
  if (!isGroup(shown)) return textsIn(value);
  return Object.entries(value).flatMap(([name, inner]) => masked(inner, shown[name]));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
