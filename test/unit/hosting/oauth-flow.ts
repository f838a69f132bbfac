import { OAuthWebFlow, type OAuthWebFlowOptions } from '../../../src/hosting/index.js';

export const clientId = 'client-id-0123456789';
export const clientSecret = 'client-secret-0123456789-0123456789-abcd';
const application = { authUrl: 'https://code.example.com', clientId, clientSecret };
export const createFlow = (options: Partial<OAuthWebFlowOptions> = {}) =>
  new OAuthWebFlow({ ...application, ...options });

export function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('expected it to throw, but it returned');
}
