import { ConfigurationError } from '../../errors/index.js';

/** `v3` and `beta` stand in media types; newer servers take the date of a version in a header field. */
export type ApiVersion = 'v3' | 'beta' | `${number}-${number}-${number}`;

/** What media types of this service are made of. */
export interface MediaContext {
  /** The word after `vnd.`: `service`, on compatible servers another. */
  readonly vendor: string;
  /** The version of the API, as the client was told. */
  readonly version: ApiVersion;
}

/** A media type to ask for. */
export interface MediaRequest extends MediaContext {
  /** A resource with variants of its own: `commitcomment`. */
  readonly resource?: string | undefined;
  /** `raw`, `text`, `html` or `full`. */
  readonly variant?: string | undefined;
  /** Whether `+json` is added. Default true. */
  readonly json?: boolean | undefined;
}

/**
 * Builds a vendor media type: `application/vnd.service.v3+json`,
 * `application/vnd.service.commitcomment.raw+json`, `application/vnd.service.v3.raw`; of a version that
 * is a date `application/vnd.service+json`, `application/vnd.service-commitcomment.raw+json`.
 * @throws {ConfigurationError} a vendor word that can not stand in a media type.
 */
export function acceptFor(request: MediaRequest): string {
  const { vendor, version, resource, variant } = request;
  if (typeof vendor !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9-]*$/.test(vendor)) {
    throw new ConfigurationError(
      'vendor: expected one word of letters, digits and hyphens, as in application/vnd.<vendor>.v3+json',
      { option: 'vendor' },
    );
  }
  const named = isDated(version)
    ? [resource === undefined ? vendor : `${vendor}-${resource}`]
    : [vendor, resource ?? version];
  const words = ['vnd', ...named, variant].filter((word) => word !== undefined);
  return `application/${words.join('.')}${request.json === false ? '' : '+json'}`;
}

/** Whether a version is told by its date. */
export function isDated(version: ApiVersion): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(version);
}

/** The media type of a `Content-Type` header (RFC 9110 section 8.3) in lower case; empty where it is missing. */
export function mediaTypeOf(contentType = ''): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase();
}
