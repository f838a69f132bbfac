import { checkOptions, forOneCall, type OptionNames } from '../option-names.js';
import { describeKind, isRecord } from '../schema/unknown-values.js';
import { callNames, type TimeoutOptions } from '../transport/options.js';
import { defineEndpoint, type Endpoint } from '../transport/request/endpoint.js';
import { createInputError, integer, optional, rule } from '../transport/request/input.js';
import type { WithResponse } from '../transport/response/response-details.js';
import { createMultipartBody, type FilePart } from '../transport/upload/multipart.js';
import type { OnProgress } from '../transport/upload/open.js';
import { chooseFilename, createUploadSource, type UploadData } from '../transport/upload/upload.js';
import { type ConsoleSession, withoutAuth } from './auth.js';
import {
  type Accepted,
  accepted,
  type ConsoleApi,
  type ConsoleRequestOptions,
  type Form,
  jsonTextSchema,
  withForm,
} from './common.js';

import { type ConsoleSettingsUpdate, secretsIn, settingsText } from './settings.js';
import { md5, readSmallFile, type SmallFile } from './small-file.js';

/** Input of `start`. */
export interface StartInstallation {
  /** License file, at most 16 MiB. The client reads the whole file before it sends the request. */
  readonly license: SmallFile;
  /**
   * Package file. The client streams the file to the appliance. A path, bytes or a Blob can be sent
   * again if a retry is safe, but a stream can be sent only once.
   */
  readonly package: UploadData;
  /**
   * Size of `package` in bytes. Set this input for a stream of known size so that the request has a
   * `Content-Length` header.
   */
  readonly package_size?: number | undefined;
  /** Initial settings, as an object or the path to a JSON file (string or `file:` URL). */
  readonly settings?: string | URL | ConsoleSettingsUpdate | undefined;
}

/** Input of `upgrade`, with `license`, `package` or both. */
export interface UpgradeInstallation {
  /**
   * New license file. After the appliance accepts the license, the client authenticates with the
   * license's hash.
   */
  readonly license?: SmallFile | undefined;
  /** New package file. The client streams the file to the appliance. */
  readonly package?: UploadData | undefined;
  /**
   * Size of `package` in bytes. Set this input for a stream of known size so that the request has a
   * `Content-Length` header.
   */
  readonly package_size?: number | undefined;
}

/** Options for `start` and `upgrade`. */
export interface InstallOptions extends ConsoleRequestOptions {
  /**
   * Callback that the client calls during the upload. The byte count covers the whole form, and
   * restarts at 0 if the client sends the form again. If the callback throws an error, the upload
   * fails. Default: none.
   */
  readonly onProgress?: OnProgress | undefined;
}

const names: OptionNames<InstallOptions> = { ...callNames, onProgress: true };

/**
 * Default timeouts. After receiving a package of several GB, an appliance takes a long time to
 * respond.
 */
export const patient = { total: 900_000, headers: 600_000 } satisfies TimeoutOptions;

// File inputs are validated when they are read, and settings when they are serialized.
const file = rule(
  'a path, bytes (Uint8Array), a Blob, a Readable or a ReadableStream',
  () => true,
  {
    type: 'string',
    contentMediaType: 'application/octet-stream',
  },
);
const settingsOrFile = rule('an object with settings, or a JSON file', () => true, jsonTextSchema);

/** `POST /setup/api/start` */
export const startEndpoint = defineEndpoint<StartInstallation>('POST /setup/api/start')({
  operation: 'start',
  input: {
    license: file,
    package: file,
    package_size: optional(integer(0)),
    settings: optional(settingsOrFile),
  },
  encoding: 'multipart',
  unsent: ['package_size'],
  retry: 'unsent',
  auth: withoutAuth,
  response: accepted,
});

/** `POST /setup/api/upgrade` */
export const upgradeEndpoint = defineEndpoint<UpgradeInstallation>('POST /setup/api/upgrade')({
  operation: 'upgrade',
  input: {
    license: optional(file),
    package: optional(file),
    package_size: optional(integer(0)),
  },
  check({ license, package: pack }) {
    if (license === undefined && pack === undefined) {
      const why =
        'is required unless license is set. To run only the configuration, use configure.';
      throw createInputError('package', why, 'upgrade');
    }
  },
  encoding: 'multipart',
  unsent: ['package_size'],
  retry: 'unsent',
  response: accepted,
});

/** Dependencies of `start` and `upgrade`. */
export interface Installer {
  readonly api: ConsoleApi;
  /** Session that uses the new license after the installation. */
  readonly session: ConsoleSession;
  /** Default timeout for calls that don't set one. */
  readonly timeout: TimeoutOptions | undefined;
}

/** Sends the license, settings and package, if they are set. */
export async function install<Input extends StartInstallation | UpgradeInstallation>(
  { api, session, timeout }: Installer,
  definition: Endpoint<Input, Accepted>,
  input: Input,
  options: InstallOptions | undefined,
): Promise<WithResponse<Accepted>> {
  let md5: string | undefined;
  const endpoint = withForm(definition, async (given, { media: { vendor } }) => {
    const form = await openInputForm(definition.operation, given, vendor, options?.onProgress);
    md5 = form.licenseMd5;
    return form;
  });
  const own =
    options === undefined
      ? {}
      : forOneCall(() => checkOptions(options, names), definition.operation);
  const response = await api.call(endpoint, input, { timeout, ...own }, names).withResponse();
  if (md5 !== undefined) session.sign(md5);
  return response;
}

interface InstallationForm extends Form {
  /** MD5 hash of the license that is sent. */
  readonly licenseMd5: string | undefined;
}

/**
 * Builds the form. Puts the small parts first so that an appliance can reject them before it
 * receives the package.
 */
async function openInputForm(
  operation: string,
  input: StartInstallation | UpgradeInstallation,
  vendor: string,
  onProgress: OnProgress | undefined,
): Promise<InstallationForm> {
  const parts: FilePart[] = [];
  const secrets: string[] = [];
  let hash: string | undefined;
  const { license, package: pack, package_size: size } = input;
  if (license !== undefined) {
    const bytes = await readSmallFile('license', license);
    hash = md5(bytes);
    secrets.push(hash);
    const filename = chooseFilename(license, 'license');
    parts.push({ name: 'license', source: createUploadSource('license', bytes), filename });
  }
  if ('settings' in input && input.settings !== undefined) {
    const text = await readSettings(operation, input.settings, vendor);
    secrets.push(...secretsIn(JSON.parse(text)));
    const source = createUploadSource('settings', Buffer.from(text));
    parts.push({ name: 'settings', source, filename: 'settings.json' });
  }
  if (pack !== undefined) {
    const source = createUploadSource('package', pack, size);
    parts.push({ name: 'package', source, filename: chooseFilename(pack, 'package') });
  }
  return { body: createMultipartBody(parts, onProgress), licenseMd5: hash, secrets };
}

/**
 * Returns the settings as JSON text. Validates a settings file before the upload, because the
 * appliance would reject invalid JSON only after receiving the package.
 */
async function readSettings(
  operation: string,
  given: string | URL | ConsoleSettingsUpdate,
  vendor: string,
): Promise<string> {
  if (typeof given !== 'string' && !(given instanceof URL)) {
    return settingsText(operation, given, vendor);
  }
  const text = (await readSmallFile('settings', given)).toString('utf8');
  const value = parseSecretJson(text);
  if (!isRecord(value)) {
    const why = `must be a file that contains a JSON object (got ${value === undefined ? 'invalid JSON' : describeKind(value)})`;
    throw createInputError('settings', why, operation);
  }
  return text;
}

function parseSecretJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A SyntaxError quotes the text, which may contain passwords.
  }
}
