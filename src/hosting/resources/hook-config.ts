import type { InvalidRequestError } from '../../errors/index.js';
import { invalidInput, rule } from '../../transport/request/input.js';
import { leavesOf } from '../../transport/request/leaves.js';

/** A setting of a hook, as it can be given. */
export type HookSetting = string | number | boolean | null | undefined;

/**
 * Settings of a hook. The named ones are those of the generic web service; other services have their
 * own (`hooks.listServices` tells them). True and false go out as `1` and `0`, as the server stores them.
 */
export interface HookSettings {
  /** Where deliveries go. Required for the web service. */
  readonly url?: string | undefined;
  /** How deliveries are encoded. Default `form`: JSON in the form parameter `payload`. */
  readonly content_type?: 'json' | 'form' | undefined;
  /** Key of the deliveries' signature. Default none: deliveries are not signed. */
  readonly secret?: string | undefined;
  /** `0` or false verifies the certificate, `1` or true does not. Default `0`. */
  readonly insecure_ssl?: '0' | '1' | boolean | undefined;
  /** Settings of other services. */
  readonly [setting: string]: HookSetting;
}

/** Settings of a service other than `web`, by their names. True and false are sent as `1` and `0`. */
export type ServiceSettings = Readonly<Record<string, HookSetting>>;

/** Settings of the generic web service. */
export interface WebHookSettings extends HookSettings {
  /** URL of the deliveries. */
  readonly url: string;
}

/** Settings by name, each one value. */
export const settings = rule(
  'an object of strings, numbers and booleans',
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(
      (each) => each === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof each),
    ),
);

/** @throws {InvalidRequestError} if a value is unknown to the web service. Other services have other values. */
export function checkSettings(operation: string, config: ServiceSettings): void {
  const content_type = config.content_type ?? undefined;
  const insecure_ssl = config.insecure_ssl ?? undefined;
  if (content_type !== undefined && content_type !== 'json' && content_type !== 'form') {
    throw wrongSetting(operation, 'content_type', "'json' or 'form'");
  }
  if (insecure_ssl !== undefined && !['0', '1', 'true', 'false'].includes(String(insecure_ssl))) {
    throw wrongSetting(operation, 'insecure_ssl', "'0', '1', true or false");
  }
}

/** The error of a setting that is wrong. */
export function wrongSetting(
  operation: string,
  name: string,
  expected: string,
): InvalidRequestError {
  return invalidInput(`config.${name}`, `expected ${expected}`, operation);
}

/** As the server stores settings: booleans are `1` and `0`. */
export function toWireConfig(config: ServiceSettings): Record<string, HookSetting> {
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? (value ? '1' : '0') : value,
    ]),
  );
}

/** Settings that are told by their name to hold nothing secret. */
const harmless = new Set(['url', 'content_type', 'insecure_ssl']);

/** What must never be shown of settings: services have tokens and passwords under names of their own. */
export function secretSettings(settings: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    if (!harmless.has(name)) return leavesOf(value);
    return typeof value === 'string' ? urlPassword(value) : [];
  });
}

/** The password in a URL's userinfo, as it stands there and as it is meant. */
export function urlPassword(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const { password } = new URL(text);
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password]; // a stray percent sign: it is meant as it stands
  }
}
