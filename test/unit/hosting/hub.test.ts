import { describe, expect, onTestFinished, test } from 'vitest';
import type { HostingClientOptions } from '../../../src/hosting/index.js';
import { HostingClient, InvalidRequestError } from '../../../src/index.js';
import { basic, here } from '../../contract/case.js';

/** Creates a client without a reachable server. */
function createClient(options: Pick<HostingClientOptions, 'webUrl'>): HostingClient {
  const client = new HostingClient({ baseUrl: 'http://127.0.0.1:1/api/v3', ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('webUrl', () => {
  test('sets the base of topic URLs', () => {
    const { hub } = createClient({ webUrl: 'https://code.example.com/' });
    expect(hub.topic({ ...here, event: 'push' })).toBe(
      'https://code.example.com/mona/sandbox/events/push',
    );
    expect(hub.topic({ ...here, event: '*', json: true })).toBe(
      'https://code.example.com/mona/sandbox/events/*.json',
    );
    expect(hub.topic({ owner: 'a/b', repo: 'c d', event: 'push' })).toBe(
      'https://code.example.com/a%2Fb/c%20d/events/push',
    );
    expect(() => hub.topic({ ...here, repo: '..', event: 'push' })).toThrow(InvalidRequestError);
    const other = createClient({});
    expect(other.hub.topic({ ...here, event: 'push' })).toBe(
      'http://127.0.0.1:1/mona/sandbox/events/push',
    );
  });

  test('keeps its path after withAuth()', async () => {
    const client = createClient({ webUrl: new URL('https://example.com/code/') });
    const { hub } = client.withAuth(basic);
    const own = hub.topic({ ...here, event: 'push' });
    expect(own).toBe('https://example.com/code/mona/sandbox/events/push');
    // No server listens at this URL, so a connection error shows that the topic was accepted.
    await expect(
      hub.subscribe({ 'hub.topic': own, 'hub.callback': 'https://hooks.example.com' }),
    ).rejects.toMatchObject({ code: 'connection' });
  });

  test('hub.topic() ignores trailing slashes of the webUrl', () => {
    const webUrl = 'http://code.example.com/git//';
    expect(createClient({ webUrl }).hub.topic({ ...here, event: 'push' })).toBe(
      'http://code.example.com/git/mona/sandbox/events/push',
    );
  });

  test.each([
    '/code',
    'ftp://code.example.com',
    'xhttps://code.example.com',
    'https://u:p@code.example.com',
    'https://c.example.com/?a',
  ])('the client rejects the webUrl %s', (webUrl) => {
    expect(() => createClient({ webUrl })).toThrow(
      expect.objectContaining({ code: 'configuration', option: 'webUrl' }),
    );
  });
});
