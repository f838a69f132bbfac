import { InvalidRequestError } from '../errors/index.js';
import { copyOptions, forOneCall, type OptionNames } from '../option-names.js';
import { isRecord, memberOf } from '../schema/unknown-values.js';
import { type Call, callOf } from '../transport/call.js';
import { callNames } from '../transport/call-settings.js';
import type { TimeoutOptions } from '../transport/options.js';
import type { StreamBody } from '../transport/request/body.js';
import { type Endpoint, endpoint } from '../transport/request/endpoint.js';
import { integer, kindOf, optional, rule } from '../transport/request/input.js';
import { buildRequest } from '../transport/request/request-spec.js';
import type { WithResponse } from '../transport/response/answer-info.js';
import { extraFields, filenameOf, multipartBody } from '../transport/upload/multipart.js';
import type { MultipartPart, OnProgress, TextPart } from '../transport/upload/open.js';
import { type UploadData, uploadSource } from '../transport/upload/upload.js';
import { type Accepted, accepted } from './accepted.js';
import { type ConsoleSession, withoutAuth } from './auth.js';
import type { ConsoleApi, ConsoleRequestOptions } from './common.js';
import { licenseMd5 } from './license-md5.js';
import { type ConsoleSettingsUpdate, secretsIn, settingsText } from './settings.js';
import { readSmallFile, type SmallFile } from './small-file.js';

/** Input of `start`. */
export interface StartInstallation {
  /** The license file, at most 16 MiB: read whole before anything is sent. */
  readonly license: SmallFile;
  /** The package file, streamed. A path, bytes or a Blob can be sent again where that is safe, a Readable only once. */
  readonly package: UploadData;
  /** Bytes in `package`, where it is a Readable of known size: it is sent with a Content-Length then. */
  readonly package_size?: number | undefined;
  /** First settings: a JSON file (path as string or `file:` URL, bytes, a Blob, a Readable), or the settings themselves. */
  readonly settings?: SmallFile | ConsoleSettingsUpdate | undefined;
}

/** Input of `upgrade` with a new license. */
export interface UpgradeLicense {
  /** A new license file. The client signs with its hash once the appliance has accepted it. */
  readonly license: SmallFile;
  /** A new package file, as in {@link StartInstallation}. */
  readonly package?: UploadData | undefined;
  /** As in {@link StartInstallation}. */
  readonly package_size?: number | undefined;
}

/** Input of `upgrade` with a new package. */
export interface UpgradePackage {
  /** A new license file. The client signs with its hash once the appliance has accepted it. */
  readonly license?: SmallFile | undefined;
  /** A new package file, as in {@link StartInstallation}. */
  readonly package: UploadData;
  /** As in {@link StartInstallation}. */
  readonly package_size?: number | undefined;
}

/** Input of `upgrade`: `license`, `package` or both. */
export type UpgradeInstallation = UpgradeLicense | UpgradePackage;

/** Options of `start` and `upgrade`. */
export interface InstallOptions extends ConsoleRequestOptions {
  /** Told as bytes of the whole form go out, from 0 again if it is sent again. What it throws fails the upload. */
  readonly onProgress?: OnProgress | undefined;
}

const names: OptionNames<InstallOptions> = { ...callNames, onProgress: true };

/** Once a package of several GB has come, an appliance takes its time to answer. */
export const patient = { total: 900_000, headers: 600_000 } satisfies TimeoutOptions;

// What files must be is checked where they are read, and settings where they become text.
const file = rule('a path, bytes (Uint8Array), a Blob or a Readable', () => true);
const settingsOrFile = rule('settings, or a JSON file', () => true);

/** `POST /setup/api/start` */
export const startEndpoint = endpoint<StartInstallation>('POST /setup/api/start')({
  operation: 'start',
  input: {
    license: file,
    package: file,
    package_size: optional(integer(0)),
    settings: optional(settingsOrFile),
  },
  encoding: 'multipart',
  retry: 'unsent',
  auth: withoutAuth,
  answer: accepted(new Set()),
});

/** `POST /setup/api/upgrade` */
export const upgradeEndpoint = endpoint<UpgradeInstallation>('POST /setup/api/upgrade')({
  operation: 'upgrade',
  input: {
    license: optional(file),
    package: optional(file),
    package_size: optional(integer(0)),
  },
  check({ license, package: pack }) {
    if (license === undefined && pack === undefined) {
      throw new InvalidRequestError(
        'upgrade: expected license or package, or both; configure runs the configuration alone',
        { field: 'package' },
      );
    }
  },
  encoding: 'multipart',
  retry: 'unsent',
  answer: accepted(new Set()),
});

/** What brings license and package onto an appliance. */
export interface Installer {
  readonly api: ConsoleApi;
  /** Signs with the new license from then on. */
  readonly session: ConsoleSession;
  /** Counts for calls that say nothing of it. */
  readonly timeout: TimeoutOptions | undefined;
}

/** Sends license, settings and package, those that are given. */
export function install<Input extends StartInstallation | UpgradeInstallation>(
  installer: Installer,
  definition: Endpoint<Input, Accepted>,
  input: Input,
  options: InstallOptions | undefined,
): Call<Accepted> {
  return callOf(answerTo(installer, definition, input, options));
}

async function answerTo<Input extends StartInstallation | UpgradeInstallation>(
  { api, session, timeout }: Installer,
  definition: Endpoint<Input, Accepted>,
  input: Input,
  options: InstallOptions | undefined,
): Promise<WithResponse<Accepted>> {
  let md5: string | undefined;
  const answered = await api
    .send(
      (context) => {
        const spec = buildRequest(definition, input, context);
        const { vendor } = context.media;
        const more = extraFields(spec.operation, context.extra);
        const read = async () => {
          const form = await readForm(spec.operation, input, vendor, more, options?.onProgress);
          md5 = form.licenseMd5;
          return { body: form.body, secrets: [...spec.secrets, ...form.secrets] };
        };
        return { ...spec, read };
      },
      () => accepted(api.authorizer.credentialParameters),
      optionsOf(options, timeout),
      names,
      input,
    )
    .withResponse();
  if (md5 !== undefined) session.sign(md5);
  return answered;
}

/** What is no object stays as it is, to be refused with all other options. */
function optionsOf(
  options: InstallOptions | undefined,
  timeout: TimeoutOptions | undefined,
): InstallOptions | undefined {
  if (options === undefined) return { timeout };
  if (typeof options !== 'object' || options === null) return options;
  return { timeout, ...forOneCall(() => copyOptions(options, names)) };
}

interface Form {
  readonly body: StreamBody;
  /** Hash of the license as it is sent. */
  readonly licenseMd5: string | undefined;
  readonly secrets: readonly string[];
}

/** The small parts come first, so that an appliance can refuse them before the package comes. */
async function readForm(
  operation: string,
  input: StartInstallation | UpgradeInstallation,
  vendor: string,
  more: readonly TextPart[],
  onProgress: OnProgress | undefined,
): Promise<Form> {
  const parts: MultipartPart[] = [...more];
  const secrets: string[] = [];
  let hash: string | undefined;
  const { license, package: pack, package_size: size } = input;
  if (license !== undefined) {
    const bytes = await readSmallFile('license', license);
    hash = await licenseMd5(bytes);
    secrets.push(hash);
    const filename = filenameOf(license, 'license');
    parts.push({ name: 'license', source: uploadSource('license', bytes), filename });
  }
  if ('settings' in input && input.settings !== undefined) {
    const text = await readSettings(operation, input.settings, vendor);
    secrets.push(...secretsIn(JSON.parse(text)));
    const source = uploadSource('settings', Buffer.from(text));
    parts.push({ name: 'settings', source, filename: 'settings.json' });
  }
  if (pack !== undefined) {
    const source = uploadSource('package', pack, size);
    parts.push({ name: 'package', source, filename: filenameOf(pack, 'package') });
  }
  return { body: multipartBody(parts, onProgress), licenseMd5: hash, secrets };
}

/** A settings file that is no JSON would be noticed only after the package has been sent. */
async function readSettings(
  operation: string,
  given: SmallFile | ConsoleSettingsUpdate,
  vendor: string,
): Promise<string> {
  if (!isFile(given)) return settingsText(operation, given, vendor);
  const text = (await readSmallFile('settings', given)).toString('utf8');
  const value = parse(text);
  if (!isRecord(value)) {
    throw new InvalidRequestError(
      `${operation}: settings: expected a file with a JSON object, got ${value === undefined ? 'no JSON' : kindOf(value)}`,
      { field: 'settings' },
    );
  }
  return text;
}

function isFile(given: SmallFile | ConsoleSettingsUpdate): given is SmallFile {
  return (
    typeof given === 'string' ||
    given instanceof URL ||
    given instanceof Uint8Array ||
    given instanceof Blob ||
    typeof memberOf(given, 'pipe') === 'function'
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the SyntaxError quotes the text, which holds passwords
  }
}
