import { ConfigurationError } from '../errors/index.js';
import { checkOptions, optionNames } from '../option-names.js';
import {
  type Authorizer,
  basicValue,
  type Credentials,
  fingerprintOf,
} from '../transport/request/credentials.js';
import { licenseMd5 } from './license-md5.js';
import { checkFile, type SmallFile } from './small-file.js';

/** Where the hash goes: as Basic authentication (`license:<hash>`, the default), or into the query as `license_md5`. */
export interface LicensePlace {
  /** Where the hash is sent. Default `basic`: in the Authorization header. */
  readonly in?: 'basic' | 'query' | undefined;
}

/** The MD5 hash of the license file, as 32 hexadecimal digits. */
export interface LicenseHashAuth extends LicensePlace {
  /** MD5 hash of the license file, 32 hexadecimal digits. */
  readonly licenseMd5: string;
}

/** The license file itself; it is hashed on first use, and not sent. */
export interface LicenseFileAuth extends LicensePlace {
  /** The license file: its hash is the credential. */
  readonly license: SmallFile;
}

/** Credentials of the Management Console API. */
export type ConsoleAuth = LicenseHashAuth | LicenseFileAuth;

const credentialParameters = new Set(['license_md5']);

const hashNames = optionNames<LicenseHashAuth>()('licenseMd5 in');

const fileNames = optionNames<LicenseFileAuth>()('license in');

/** Endpoints that take no credentials ask for this scheme. */
export const withoutAuth = 'none';

/**
 * What a client signs with. A new license that the appliance has accepted takes the place of the old
 * one: every later call is signed with its hash.
 */
export class ConsoleSession implements Authorizer {
  readonly credentialParameters = credentialParameters;
  readonly unauthorizedHint =
    'the hash of the license file was refused: is it the installed license?';
  readonly #place: 'basic' | 'query';
  readonly #license: SmallFile | undefined;
  #credentials: Credentials | undefined;
  #reading: Promise<Credentials> | undefined;

  /** @throws {ConfigurationError} credentials of another form. */
  constructor(auth: ConsoleAuth | undefined) {
    this.#place = placeOf(auth);
    if (auth === undefined) return;
    checkOptions(auth, 'licenseMd5' in auth ? hashNames : fileNames, 'auth');
    if ('licenseMd5' in auth) {
      if (typeof auth.licenseMd5 !== 'string' || !/^[0-9a-f]{32}$/i.test(auth.licenseMd5)) {
        throw new ConfigurationError(
          'auth.licenseMd5: expected the MD5 hash of the license file, 32 hexadecimal digits',
          { option: 'auth' },
        );
      }
      this.sign(auth.licenseMd5);
    } else {
      this.#license = auth.license;
    }
  }

  /** Signs with this hash from now on. */
  sign(hash: string): void {
    this.#credentials = credentialsOf(hash, this.#place);
  }

  credentials(requirement: string | undefined): Credentials | undefined | Promise<Credentials> {
    if (requirement === withoutAuth) return undefined;
    if (this.#credentials) return this.#credentials;
    const license = this.#license;
    if (license === undefined) {
      throw new ConfigurationError(
        'auth: this endpoint needs the license: give { licenseMd5 } or { license }, or call start first',
        { option: 'auth' },
      );
    }
    this.#reading ??= this.#read(license).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(license: SmallFile): Promise<Credentials> {
    checkFile('auth.license', license);
    const hash = await licenseMd5(license);
    // An installation may have brought a newer one meanwhile.
    this.#credentials ??= credentialsOf(hash, this.#place);
    return this.#credentials;
  }
}

function placeOf(auth: ConsoleAuth | undefined): 'basic' | 'query' {
  if (auth === undefined) return 'basic';
  if (
    typeof auth !== 'object' ||
    auth === null ||
    !('licenseMd5' in auth || ('license' in auth && auth.license !== undefined))
  ) {
    throw new ConfigurationError('auth: expected { licenseMd5 } or { license }', {
      option: 'auth',
    });
  }
  const place = auth.in ?? 'basic';
  if (place !== 'basic' && place !== 'query') {
    throw new ConfigurationError("auth.in: expected 'basic' or 'query'", { option: 'auth' });
  }
  return place;
}

function credentialsOf(hash: string, place: 'basic' | 'query'): Credentials {
  const authorization = basicValue('license', hash);
  return {
    headers: place === 'basic' ? { authorization } : {},
    parameters: place === 'query' ? `license_md5=${encodeURIComponent(hash)}` : '',
    parametersIn: 'query',
    secrets: [hash, authorization.slice('Basic '.length)],
    fingerprint: fingerprintOf('console', hash),
  };
}
