import { ConfigurationError } from '../errors/index.js';
import { checkOptions, invalidOption, optionNames } from '../option-names.js';
import { describeLength, formatGot, getMember, showValue } from '../schema/unknown-values.js';
import {
  type Authorizer,
  type Credentials,
  computeFingerprint,
  formatBasicAuth,
} from '../transport/request/credentials.js';
import { md5, readSmallFile, type SmallFile } from './small-file.js';

/** Option that selects how the client sends the hash. */
export interface LicensePlace {
  /**
   * How the client sends the hash. `basic` uses Basic authentication (`license:<hash>`), and
   * `query` uses the `license_md5` parameter. Default: `basic`.
   */
  readonly in?: 'basic' | 'query' | undefined;
}

/** Credentials that contain the license file's MD5 hash. */
export interface LicenseHashAuth extends LicensePlace {
  /** MD5 hash of the license file, 32 hexadecimal digits. */
  readonly licenseMd5: string;
}

/**
 * Credentials that contain the license file. The client computes the file's hash on first use and
 * never sends the file.
 */
export interface LicenseFileAuth extends LicensePlace {
  /** License file whose hash is the credential. */
  readonly license: SmallFile;
}

/** Credentials for the Management Console API. */
export type ConsoleAuth = LicenseHashAuth | LicenseFileAuth;

/** Query parameters that contain credentials. */
export const credentialParameters: ReadonlySet<string> = new Set(['license_md5']);

const hashNames = optionNames<LicenseHashAuth>()('licenseMd5 in');

const fileNames = optionNames<LicenseFileAuth>()('license in');

/** Authentication scheme for endpoints that take no credentials. */
export const withoutAuth = 'none';

/**
 * A client's credentials. After the appliance accepts a new license, all later calls use the new
 * hash.
 */
export class ConsoleSession implements Authorizer {
  readonly credentialParameters = credentialParameters;
  readonly unauthorizedHint =
    "the server rejected the license file's hash. Check that this license is installed.";
  #place: 'basic' | 'query' = 'basic';
  readonly #license: SmallFile | undefined;
  #credentials: Credentials | undefined;
  #reading: Promise<Credentials> | undefined;

  /** @throws {ConfigurationError} if the credentials are invalid. */
  constructor(auth: ConsoleAuth | undefined) {
    if (auth === undefined) return;
    if (getMember(auth, 'licenseMd5') === undefined && getMember(auth, 'license') === undefined) {
      const why = `must be { licenseMd5 } or { license }${formatGot(auth, 'object')}`;
      throw invalidOption('auth', why);
    }
    checkOptions(auth, 'licenseMd5' in auth ? hashNames : fileNames, 'auth');
    this.#place = checkPlace(auth.in);
    if ('licenseMd5' in auth) this.sign(checkHash(auth.licenseMd5));
    else this.#license = auth.license;
  }

  /** Uses this hash for all later calls. */
  sign(hash: string): void {
    this.#credentials = buildLicenseCredentials(hash, this.#place);
  }

  credentials(requirement: string | undefined): Credentials | undefined | Promise<Credentials> {
    if (requirement === withoutAuth) return undefined;
    if (this.#credentials) return this.#credentials;
    const license = this.#license;
    if (license === undefined) {
      const why = 'is required. Pass { licenseMd5 } or { license }, or call start first.';
      throw invalidOption('auth', why);
    }
    this.#reading ??= this.#read(license).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(license: SmallFile): Promise<Credentials> {
    const hash = md5(await readSmallFile('auth.license', license));
    // An installation may have set a newer hash in the meantime.
    this.#credentials ??= buildLicenseCredentials(hash, this.#place);
    return this.#credentials;
  }
}

function checkPlace(place: LicensePlace['in'] = 'basic'): 'basic' | 'query' {
  if (place === 'basic' || place === 'query') return place;
  throw new ConfigurationError(`auth.in: must be 'basic' or 'query' (got ${showValue(place)})`, {
    option: 'auth',
  });
}

function checkHash(hash: string): string {
  if (typeof hash === 'string' && /^[0-9a-f]{32}$/i.test(hash)) return hash;
  throw new ConfigurationError(
    `auth.licenseMd5: must be the license file's MD5 hash, as 32 hexadecimal digits (got ${describeLength(hash, 32)})`,
    { option: 'auth' },
  );
}

function buildLicenseCredentials(hash: string, place: 'basic' | 'query'): Credentials {
  const authorization = formatBasicAuth('license', hash);
  return {
    headers: place === 'basic' ? { authorization } : {},
    parameters: place === 'query' ? `license_md5=${encodeURIComponent(hash)}` : '',
    secrets: [hash, `license:${hash}`, authorization.slice('Basic '.length)],
    fingerprint: computeFingerprint('console', hash),
  };
}
