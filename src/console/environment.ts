import type { Environment } from '../transport/environment.js';

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
