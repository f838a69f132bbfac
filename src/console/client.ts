import { invalidOption, type OptionNames } from '../option-names.js';
import { ApiClient } from '../transport/api-client.js';
import { BaseClient } from '../transport/base-client.js';
import type { Call, JsonCall } from '../transport/call.js';
import { type ClientOptions, clientNames } from '../transport/client-options.js';
import { fromEnvironment } from '../transport/environment.js';
import { type ApiFamily, addMethods, type OwnMethod } from '../transport/extension.js';
import { resolveSettings } from '../transport/settings.js';
import { Transport } from '../transport/transport.js';
import type { Accepted } from './accepted.js';
import { type ConsoleAuth, ConsoleSession } from './auth.js';
import { AuthorizedKeys } from './authorized-keys.js';
import type { ConsoleApi, ConsoleRequestOptions } from './common.js';
import {
  type Configure,
  configCheckEndpoint,
  configureEndpoint,
  followConfiguration,
  type WaitForConfiguration,
} from './configuration.js';
import { environment } from './environment.js';
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
import type { ConfigurationRun } from './wait.js';

/** Options of {@link ConsoleClient}. */
export interface ConsoleClientOptions extends ClientOptions {
  /**
   * Needed by everything but `start`, which brings the license that is signed with from then on. Default:
   * none.
   */
  readonly auth?: ConsoleAuth | undefined;
  /** The word in settings keys (`<vendor>_hostname`, `<vendor>_ssl`). Default `service`. */
  readonly vendor?: string | undefined;
}

const names: OptionNames<ConsoleClientOptions> = {
  ...clientNames,
  auth: true,
  vendor: true,
};

/**
 * The Management Console API of an appliance, usually on port 8443.
 *
 * ```ts
 * const console_ = new ConsoleClient({ baseUrl: 'https://code.example.com:8443', auth: { license: './license.ghl' } });
 * ```
 * Writes are sent again only if the connection was never made.
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export class ConsoleClient extends BaseClient<ConsoleAuth, 'none'> {
  /** Settings of the appliance. */
  readonly settings: Settings;
  /** Maintenance mode. */
  readonly maintenance: Maintenance;
  /** SSH keys that may log in. */
  readonly authorizedKeys: AuthorizedKeys;
  readonly #api: ConsoleApi;
  readonly #installer: Installer;

  constructor(options: ConsoleClientOptions);
  /** @internal `withAuth` and `extend` make a client over a transport that exists. */
  constructor(
    options: ConsoleClientOptions,
    session: ConsoleSession,
    api: ConsoleApi,
    added: readonly OwnMethod[],
  );
  constructor(
    options: ConsoleClientOptions,
    session = new ConsoleSession(options?.auth),
    api = apiOver(newTransport(options), session),
    added: readonly OwnMethod[] = [],
  ) {
    super({
      api,
      family,
      added,
      derive: (next, methods, auth) => {
        if (auth === undefined) return derived(options, session, next, methods);
        // The license of `start` and `upgrade` replaces the one of this client only.
        const own = new ConsoleSession(auth);
        return derived({ ...options, auth }, own, apiOver(next.transport, own), methods);
      },
    });
    this.#api = api;
    const timeout = options.timeout === undefined ? patient : undefined;
    this.#installer = { api, session, timeout };
    this.settings = new Settings(api);
    this.maintenance = new Maintenance(api);
    this.authorizedKeys = new AuthorizedKeys(api);
    addMethods(this, api, added);
  }

  /**
   * Makes a client of the variables `TRIFORGE_CONSOLE_BASE_URL`, `TRIFORGE_CONSOLE_LICENSE_MD5` and
   * others: see the guide about credentials. No other variable is read, and none by the constructor.
   * @param options win over the environment.
   * @throws {ConfigurationError} naming the variable that is missing or wrong.
   */
  static fromEnv(options?: Partial<ConsoleClientOptions>): ConsoleClient {
    return fromEnvironment(environment, options, (all: ConsoleClientOptions) => new this(all));
  }

  /**
   * `POST /setup/api/start`
   *
   * Installs license and package on a bare appliance. No credentials are
   * sent; the client signs with the new license's hash from then on. The configuration is not
   * started: `configure` does that.
   *
   * Without a `timeout` of yours, the answer may take 10 minutes once the upload is done.
   * @throws {InvalidRequestError} a file that is missing or unreadable, or settings that are no JSON; nothing is sent then.
   * @example await appliance.start({ license: 'license.ghl', package: 'release.pkg' });
   */
  start(input: StartInstallation, options?: InstallOptions): Call<Accepted> {
    return install(this.#installer, startEndpoint, input, options);
  }

  /**
   * `POST /setup/api/upgrade`
   *
   * Brings a new license, a new package, or both, and starts the
   * configuration. The client signs with a new license's hash from then on.
   * @throws {InvalidRequestError} neither is given, or a file is missing or unreadable; nothing is sent then.
   * @example await appliance.upgrade({ package: 'release-2.0.0.pkg' });
   */
  upgrade(input: UpgradeInstallation, options?: InstallOptions): Call<Accepted> {
    return install(this.#installer, upgradeEndpoint, input, options);
  }

  /**
   * `GET /setup/api/configcheck`
   *
   * How far the configuration is.
   * @throws {NotFoundError} there may be no status yet, for several seconds after `start`.
   * @example const { status } = await appliance.configCheck();
   */
  configCheck(options?: ConsoleRequestOptions): JsonCall<ConfigurationStatus> {
    return this.#api.call(configCheckEndpoint, {}, options);
  }

  /**
   * `POST /setup/api/configure`
   *
   * Starts a configuration run. Upgrades should always be complete
   * runs.
   * @example await appliance.configure();
   */
  configure(input: Configure = {}, options?: ConsoleRequestOptions): Call<Accepted> {
    return this.#api.call(configureEndpoint, input, options);
  }

  /**
   * `GET /setup/api/configcheck`
   *
   * Follows a configuration run to its end, over restarts of the appliance: `for await` gives its
   * statuses, `.done()` waits for the end.
   *
   * A former run's `success` may still stand when this is called. An end is believed only after
   * `running` was seen, `configuration_run_count` rose, or the end has stood for `gracePeriod`.
   * @throws {ApplianceConfigurationError} while iterating: a step FAILED.
   * @throws {TimeoutError} while iterating: no end within `timeout`, 30 minutes by default.
   * @example for await (const { status } of appliance.waitForConfiguration()) console.log(status);
   */
  waitForConfiguration(options: WaitForConfiguration = {}): ConfigurationRun {
    return followConfiguration(this.#api, options);
  }
}

/** Outside of the class: a class that names itself inside is called `_ConsoleClient` in what is built. */
function derived(
  options: ConsoleClientOptions,
  session: ConsoleSession,
  api: ConsoleApi,
  added: readonly OwnMethod[],
): ConsoleClient {
  return new ConsoleClient(options, session, api, added);
}

const family: ApiFamily = { schemes: ['none'], writes: 'unsent' };

function apiOver(transport: Transport, session: ConsoleSession): ConsoleApi {
  return new ApiClient<ConsoleAuth>(transport, session, (auth) => new ConsoleSession(auth));
}

function newTransport(options: ConsoleClientOptions): Transport {
  const vendor = options?.vendor ?? 'service';
  if (typeof vendor !== 'string' || !/^[a-z][a-z0-9]*$/.test(vendor)) {
    throw invalidOption('vendor', "expected a word in lower case such as 'service'");
  }
  const media = { vendor, version: 'v3' } as const;
  return new Transport(resolveSettings(options, { media, accept: 'application/json', names }));
}
