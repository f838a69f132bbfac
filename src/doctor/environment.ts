import { EnvHttpProxyAgent } from 'undici';
import { environment as console } from '../console/environment.js';
import { ConsoleClient, type ConsoleClientOptions } from '../console/index.js';
import { environment as hosting } from '../hosting/environment.js';
import { HostingClient, type HostingClientOptions } from '../hosting/index.js';
import { environment as support } from '../support/environment.js';
import { SupportClient, type SupportClientOptions } from '../support/index.js';
import { type Environment, fromEnvironment } from '../transport/environment.js';
import type { ExamineOptions } from './examine.js';

/**
 * Reads addresses and credentials from the environment variables that the clients' `fromEnv` uses.
 * Doesn't use command-line arguments, because other users of the machine can read them.
 * @throws {ConfigurationError} if a variable is missing or invalid. The error names the variable.
 */
export function whatToExamine(): Pick<ExamineOptions, 'hosting' | 'support' | 'console'> {
  return {
    hosting: readConnectionOptions<HostingClientOptions>(hosting, HostingClient),
    support: readConnectionOptions<SupportClientOptions>(support, SupportClient),
    console: readConnectionOptions<ConsoleClientOptions>(console, ConsoleClient),
  };
}

function readConnectionOptions<Options extends Pick<HostingClientOptions, 'proxy' | 'dispatcher'>>(
  environment: Environment,
  Client: new (options: Options) => object,
): Options | undefined {
  if (!process.env[environment.options.baseUrl]) return undefined;
  const options = fromEnvironment(environment, undefined, (read: Options) => {
    // This client only validates the options. The doctor creates its own read-only clients.
    void new Client(read);
    return read;
  });
  const { proxy } = options;
  if (proxy === undefined) return options;
  const url = String(proxy);
  const ofUrl = proxy === 'env' ? {} : { httpProxy: url, httpsProxy: url, noProxy: '' };
  const dispatcher = new EnvHttpProxyAgent({ ...ofUrl, proxyTunnel: false });
  return { ...options, proxy: undefined, dispatcher };
}
