import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/errors/index.js';
import { createDispatchers, downloadToFile } from '../../../src/transport/workers.js';

const baseOrigin = 'https://code.example.com';
const proxies = { http: new URL('http://proxy.example.com'), https: undefined, none: '' };

describe('createDispatchers() in the build for Cloudflare Workers', () => {
  it('createDispatchers() uses one dispatcher for all origins', () => {
    const { single, select } = createDispatchers({ tls: {}, proxies: undefined, baseOrigin });
    expect(select('https://elsewhere.example.com', false)).toBe(single);
  });

  it.each([
    ['tls', { tls: { rejectUnauthorized: false }, proxies: undefined }],
    ['proxy', { tls: {}, proxies }],
  ])('createDispatchers() rejects the option %s', (option, settings) => {
    const create = () => createDispatchers({ ...settings, baseOrigin });
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(`${option}: is not supported in Cloudflare Workers`);
  });
});

it('the build for Cloudflare Workers rejects downloads to files', async () => {
  await expect(downloadToFile()).rejects.toMatchObject({
    code: 'invalid_request',
    message: "to: is not supported in Cloudflare Workers. Use as: 'web', 'stream' or 'bytes'.",
  });
});
