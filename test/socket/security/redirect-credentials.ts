import type { HostingAuth } from '../../../src/hosting/auth/schemes.js';

export const token = 'tok-5ecret/9';
export const password = 'pa55 w0rd+';
const clientSecret = 'ap9-secret'.repeat(4);
export const inQuery = { type: 'token', token, in: 'query' } satisfies HostingAuth;
export const basic = {
  type: 'basic',
  username: 'jo',
  password,
  otp: 'hunter-two',
} satisfies HostingAuth;
export const application = {
  type: 'application',
  clientId: 'app-id-of-20-letters',
  clientSecret,
} satisfies HostingAuth;
