import type { Environment } from '../transport/environment.js';

/** Environment variables that `SupportClient.fromEnv` reads. */
export const environment: Environment = {
  options: { baseUrl: 'TRIFORGE_SUPPORT_BASE_URL', proxy: 'TRIFORGE_SUPPORT_PROXY' },
  auth: [
    {
      parts: {
        userName: 'TRIFORGE_SUPPORT_USER_NAME',
        apiKey: 'TRIFORGE_SUPPORT_API_KEY',
        password: 'TRIFORGE_SUPPORT_PASSWORD',
      },
    },
    { parts: { accessToken: 'TRIFORGE_SUPPORT_ACCESS_TOKEN' } },
  ],
  needsAuth: true,
};
