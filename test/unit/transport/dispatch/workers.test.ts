import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../../src/errors/index.js';
import { createDispatchers } from '../../../../src/transport/dispatch/workers.js';

const baseOrigin = 'https://code.example.com';
const proxies = { http: new URL('http://proxy.example.com'), https: undefined, none: '' };

describe('createDispatchers() in the build for Cloudflare Workers', () => {
  it('uses one dispatcher for all origins', () => {
    const { single, select } = createDispatchers({ tls: {}, proxies: undefined, baseOrigin });
    expect(select('https://elsewhere.example.com', false)).toBe(single);
  });

  it.each([
    ['tls', { tls: { rejectUnauthorized: false }, proxies: undefined }],
    ['proxy', { tls: {}, proxies }],
  ])('rejects the option %s', (option, settings) => {
    const create = () => createDispatchers({ ...settings, baseOrigin });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(`${option}: is not supported in Cloudflare Workers`);
  });
});
