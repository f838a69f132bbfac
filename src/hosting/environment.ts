import type { Environment } from '../transport/environment.js';

/** Environment variables that `HostingClient.fromEnv` reads. */
export const environment: Environment = {
  options: {
    baseUrl: 'TRIFORGE_BASE_URL',
    vendor: 'TRIFORGE_VENDOR',
    apiVersion: 'TRIFORGE_API_VERSION',
    proxy: 'TRIFORGE_PROXY',
  },
  auth: [
    { own: { type: 'token' }, parts: { token: 'TRIFORGE_TOKEN' } },
    {
      own: { type: 'basic' },
      parts: { username: 'TRIFORGE_USERNAME', password: 'TRIFORGE_PASSWORD' },
    },
    {
      own: { type: 'application' },
      parts: { clientId: 'TRIFORGE_CLIENT_ID', clientSecret: 'TRIFORGE_CLIENT_SECRET' },
    },
  ],
};
