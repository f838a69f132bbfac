import type { InvalidRequestError } from '../../errors/index.js';
import { showValue } from '../../schema/unknown-values.js';
import { collectLeaves } from '../../transport/request/fields.js';
import { createInputError, rule } from '../../transport/request/input.js';

/** Value of a hook setting in a request. */
export type HookSetting = string | number | boolean | null | undefined;

/**
 * Settings of a hook. The declared fields belong to the generic `web` service. `hooks.listServices`
 * lists the settings of other services. Booleans are sent as `1` and `0`, as the server stores
 * them.
 */
export interface HookSettings {
  /** URL that receives the deliveries. Required for the `web` service. */
  readonly url?: string | undefined;
  /** Encoding of deliveries. `form` sends JSON in the form parameter `payload`. Default: `form`. */
  readonly content_type?: 'json' | 'form' | undefined;
  /** Secret that signs deliveries. Default: none, so deliveries are unsigned. */
  readonly secret?: string | undefined;
  /**
   * Whether to skip certificate verification. With `0` or false, the server verifies the
   * certificate. Default: `0`.
   */
  readonly insecure_ssl?: '0' | '1' | boolean | undefined;
  /** Settings of other services. */
  readonly [setting: string]: HookSetting;
}

/** Settings of a service other than `web`, by name. Booleans are sent as `1` and `0`. */
export type ServiceSettings = Readonly<Record<string, HookSetting>>;

/** Settings of the generic web service. */
export interface WebHookSettings extends HookSettings {
  /** URL that receives the deliveries. */
  readonly url: string;
}

/** Validates that settings are an object of scalar values. */
export const settings = rule(
  'an object of strings, numbers and booleans',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(
      (each) => each === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof each),
    ),
  {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  },
);

/**
 * Validates settings against the web service's rules. Other services may allow different values.
 * @throws {InvalidRequestError} if `content_type` or `insecure_ssl` is invalid.
 */
export function checkSettings(operation: string, config: ServiceSettings): void {
  const content_type = config.content_type ?? undefined;
  const insecure_ssl = config.insecure_ssl ?? undefined;
  if (content_type !== undefined && content_type !== 'json' && content_type !== 'form') {
    throw wrongSetting(operation, 'content_type', "'json' or 'form'", showValue(content_type));
  }
  if (insecure_ssl !== undefined && !['0', '1', 'true', 'false'].includes(String(insecure_ssl))) {
    throw wrongSetting(
      operation,
      'insecure_ssl',
      "'0', '1', true or false",
      showValue(insecure_ssl),
    );
  }
}

export function wrongSetting(
  operation: string,
  name: string,
  expected: string,
  got: string,
): InvalidRequestError {
  return createInputError(`config.${name}`, `must be ${expected} (got ${got})`, operation);
}

/** Converts booleans to `1` and `0`, as the server stores them. */
export function toWireConfig(config: ServiceSettings): Record<string, HookSetting> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? (value ? '1' : '0') : value,
    ]),
  );
}

/** Settings that never contain secrets. */
const harmless = new Set(['url', 'content_type', 'insecure_ssl']);

/**
 * Returns the values to mask. Each service has its own names for tokens and passwords, so every
 * setting that isn't known to be harmless is treated as secret.
 */
export function secretSettings(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!harmless.has(name)) return collectLeaves(value);
    return typeof value === 'string' ? urlPassword(value) : [];
  });
}

/** Returns two forms of the password in a URL: percent-encoded and decoded. */
export function urlPassword(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // Use a password with a stray percent sign as is.
  }
}
