import { ConfigurationError } from '../../errors/index.js';
import { showValue } from '../../schema/unknown-values.js';
import type { RawHeaders } from './headers.js';

/**
 * API version. `v3` and `beta` are sent in media types. A date works only with newer servers and
 * is sent in a header.
 */
export type ApiVersion = 'v3' | 'beta' | `${number}-${number}-${number}`;

/** Parts of the service's media types. */
export interface MediaContext {
  /** Word after `vnd.`, such as `service`. Compatible servers may use a different word. */
  readonly vendor: string;
  /** The client's API version. */
  readonly version: ApiVersion;
}

/** A media type to request. */
export interface MediaRequest extends MediaContext {
  /** Resource with its own variants, such as `commitcomment`. */
  readonly resource?: string | undefined;
  /** Variant: `raw`, `text`, `html` or `full`. */
  readonly variant?: string | undefined;
  /** Whether to add `+json`. Default: true. */
  readonly json?: boolean | undefined;
}

/**
 * Builds a vendor media type, such as `application/vnd.service.v3+json`,
 * `application/vnd.service.commitcomment.raw+json` or `application/vnd.service.v3.raw`. If the
 * version is a date, the media type omits the version and joins the resource with a hyphen, as in
 * `application/vnd.service-commitcomment.raw+json`.
 * @throws {ConfigurationError} if the vendor can't be part of a media type.
 */
export function buildMediaType(request: MediaRequest): string {
  const { vendor, version, resource, variant } = request;
  if (typeof vendor !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(vendor)) {
    throw new ConfigurationError(
      `vendor: must start with a letter or digit and contain only letters, digits and hyphens (got ${showValue(vendor)})`,
      { option: 'vendor' },
    );
  }
  const named = isDated(version)
    ? [resource === undefined ? vendor : `${vendor}-${resource}`]
    : [vendor, resource ?? version];
  const words = ['vnd', ...named, variant].filter((word) => word !== undefined);
  return `application/${words.join('.')}${request.json === false ? '' : '+json'}`;
}

export function isDated(version: ApiVersion): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(version);
}

/**
 * Returns a `Content-Type` header's media type (RFC 9110 section 8.3) in lower case. Empty if
 * there is no header.
 */
export function parseEssence(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase();
}

/** Returns the `charset` parameter of a `Content-Type` header. */
export function parseCharset(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1];
}

/**
 * Returns whether the client probably needs the `vendor` option: the client requested the default
 * vendor's media type, but the response has no `x-service-` header.
 */
export function isForgottenVendor(accept: string, headers: RawHeaders): boolean {
  const isKnown = Object.keys(headers).some((name) => name.startsWith('x-service-'));
  return /\/vnd\.service[.+-]/.test(accept) && !isKnown;
}
