import { invalidOption, type OptionNames } from '../option-names.js';
import { showValue } from '../schema/unknown-values.js';
import { ApiClient, type Call, createCall, type JsonCall } from '../transport/api-client.js';
import type { ApiFamily } from '../transport/base-client.js';
import { BaseClient } from '../transport/base-client.js';
import { type Environment, fromEnvironment } from '../transport/environment.js';
import { type ClientOptions, clientNames, resolveSettings } from '../transport/settings.js';

import { Transport } from '../transport/transport.js';
import { type ConsoleAuth, ConsoleSession } from './auth.js';
import { AuthorizedKeys } from './authorized-keys.js';
import type { Accepted, ConsoleApi, ConsoleRequestOptions } from './common.js';

import {
  type ConfigurationRun,
  type Configure,
  configCheckEndpoint,
  configureEndpoint,
  followConfiguration,
  type WaitForConfiguration,
} from './configuration.js';
import { Maintenance } from './maintenance.js';
import type { ConfigurationStatus } from './models/index.js';
import {
  type Installer,
  type InstallOptions,
  install,
  patient,
  type StartInstallation,
  startEndpoint,
  type UpgradeInstallation,
  upgradeEndpoint,
} from './provisioning.js';
import { Settings } from './settings.js';

/** Environment variables that `ConsoleClient.fromEnv` reads. */
export const environment: Environment = {
  options: {
    baseUrl: 'TRIFORGE_CONSOLE_BASE_URL',
    vendor: 'TRIFORGE_CONSOLE_VENDOR',
    proxy: 'TRIFORGE_CONSOLE_PROXY',
  },
  auth: [
    { parts: { licenseMd5: 'TRIFORGE_CONSOLE_LICENSE_MD5' } },
    { parts: { license: 'TRIFORGE_CONSOLE_LICENSE' } },
  ],
};

/** Options for {@link ConsoleClient}. */
export interface ConsoleClientOptions extends ClientOptions {
  /**
   * Credentials. Required for all calls except `start`. After `start`, the client authenticates
   * with the installed license. Default: none.
   */
  readonly auth?: ConsoleAuth | undefined;
  /** Vendor name in settings keys (`<vendor>_hostname`, `<vendor>_ssl`). Default: `service`. */
  readonly vendor?: string | undefined;
}

const names: OptionNames<ConsoleClientOptions> = {
  ...clientNames,
  auth: true,
  vendor: true,
};

/**
 * Client for an appliance's Management Console API, usually on port 8443.
 *
 * ```ts
 * const appliance = new ConsoleClient({
 *   baseUrl: 'https://code.example.com:8443',
 *   auth: { license: './license.ghl' },
 * });
 * ```
 * Methods that change the appliance are retried only if the connection was never established.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export class ConsoleClient extends BaseClient<ConsoleAuth> {
  /** Settings of the appliance. */
  readonly settings: Settings;
  /** Maintenance mode. */
  readonly maintenance: Maintenance;
  /** SSH keys with access to the appliance. */
  readonly authorizedKeys: AuthorizedKeys;
  readonly #api: ConsoleApi;
  readonly #installer: Installer;

  constructor(options: ConsoleClientOptions);
  /** @internal Used by `withAuth` to create a client that uses an existing transport. */
  constructor(options: ConsoleClientOptions, session: ConsoleSession, api: ConsoleApi);
  constructor(
    options: ConsoleClientOptions,
    session = new ConsoleSession(options?.auth),
    api = apiOver(newTransport(options), session),
  ) {
    super({
      api,
      family,
      derive: (next, auth) => {
        // Each client needs its own session, because installing a license changes the session.
        const own = new ConsoleSession(auth);
        return deriveConsoleClient({ ...options, auth }, own, apiOver(next.transport, own));
      },
    });
    this.#api = api;
    const timeout = options.timeout === undefined ? patient : undefined;
    this.#installer = { api, session, timeout };
    this.settings = new Settings(api);
    this.maintenance = new Maintenance(api);
    this.authorizedKeys = new AuthorizedKeys(api);
  }

  /**
   * Creates a client from environment variables such as `TRIFORGE_CONSOLE_BASE_URL` and
   * `TRIFORGE_CONSOLE_LICENSE_MD5`. The Authentication guide lists all variables. The constructor
   * doesn't read environment variables.
   * @param options Options that override the environment.
   * @throws {ConfigurationError} if a variable is missing or invalid.
   */
  static fromEnv(options?: Partial<ConsoleClientOptions>): ConsoleClient {
    return fromEnvironment(environment, options, (all: ConsoleClientOptions) => new this(all));
  }

  /**
   * `POST /setup/api/start`
   *
   * Installs a license and a package on a bare appliance. This call requires no credentials.
   * Afterward, the client authenticates with the new license's hash. To start the configuration,
   * call `configure`.
   *
   * Unless you set a `timeout`, the client waits up to 10 minutes for a response after the upload.
   * @throws {InvalidRequestError} if a file is missing or unreadable, the license is empty or larger
   * than 16 MiB, or the settings are invalid. No request is sent.
   * @example await appliance.start({ license: 'license.ghl', package: 'release.pkg' });
   */
  start(input: StartInstallation, options?: InstallOptions): Call<Accepted> {
    return createCall(install(this.#installer, startEndpoint, input, options));
  }

  /**
   * `POST /setup/api/upgrade`
   *
   * Installs a new license, a new package, or both, and starts the configuration. After the
   * appliance accepts a new license, the client authenticates with that license's hash.
   * @throws {InvalidRequestError} if neither file is passed, a file is missing or unreadable, or the
   * license is empty or larger than 16 MiB. No request is sent.
   * @example await appliance.upgrade({ package: 'release-2.0.0.pkg' });
   */
  upgrade(input: UpgradeInstallation, options?: InstallOptions): Call<Accepted> {
    return createCall(install(this.#installer, upgradeEndpoint, input, options));
  }

  /**
   * `GET /setup/api/configcheck`
   *
   * Returns the configuration's progress.
   * @throws {NotFoundError} if there is no status yet, which can happen for several seconds after
   * `start`.
   * @example const { status } = await appliance.configCheck();
   */
  configCheck(options?: ConsoleRequestOptions): JsonCall<ConfigurationStatus> {
    return this.#api.call(configCheckEndpoint, {}, options);
  }

  /**
   * `POST /setup/api/configure`
   *
   * Starts a configuration run. After an upgrade, always pass `complete: true`.
   * @example await appliance.configure();
   */
  configure(input: Configure = {}, options?: ConsoleRequestOptions): Call<Accepted> {
    return this.#api.call(configureEndpoint, input, options);
  }

  /**
   * `GET /setup/api/configcheck`
   *
   * Follows a configuration run until it ends, even if the appliance restarts. `for await` yields
   * the run's statuses. `.done()` waits for the end.
   *
   * At first, the appliance may still report the `success` of the previous run. Therefore, the wait
   * ends only if the run's status was previously `running`, or if the appliance has reported an end
   * for at least `gracePeriod`.
   * @throws {ApplianceConfigurationError} if the run or one of its steps fails.
   * @throws {TimeoutError} if the run doesn't end within `timeout`, by default 30 minutes.
   * @example for await (const { status } of appliance.waitForConfiguration()) console.log(status);
   */
  waitForConfiguration(options: WaitForConfiguration = {}): ConfigurationRun {
    return followConfiguration(this.#api, options);
  }
}

/**
 * Creates a client on an existing transport. Defined outside the class, because the bundler renames
 * a class that refers to itself (`_ConsoleClient`).
 */
function deriveConsoleClient(
  options: ConsoleClientOptions,
  session: ConsoleSession,
  api: ConsoleApi,
): ConsoleClient {
  return new ConsoleClient(options, session, api);
}

const family: ApiFamily = { encoding: 'form', writes: 'unsent' };

function apiOver(transport: Transport, session: ConsoleSession): ConsoleApi {
  return new ApiClient<ConsoleAuth>(transport, session, (auth) => new ConsoleSession(auth));
}

function newTransport(options: ConsoleClientOptions): Transport {
  const vendor = options?.vendor ?? 'service';
  if (typeof vendor !== 'string' || !/^[a-z][a-z0-9]*$/.test(vendor)) {
    throw invalidOption(
      'vendor',
      `must start with a lowercase letter and contain only lowercase letters and digits (got ${showValue(vendor)})`,
    );
  }
  const media = { vendor, version: 'v3' } as const;
  const explainBaseUrl = (path: string) =>
    path.endsWith('/setup/api')
      ? 'Remove /setup/api from baseUrl, as in https://code.example.com:8443.'
      : undefined;
  const family = { media, accept: 'application/json', names, explainBaseUrl };
  return new Transport(resolveSettings(options, family));
}
