import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';

export const token = 'pl4nted-tok3n/9';
export const inQuery = { type: 'token', token, in: 'query' } satisfies HostingAuth;
