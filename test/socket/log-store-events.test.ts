import { describe, expect, test } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { recordEvents } from '../unit/transport/recorded-events.js';

/** Creates a log that records lines with their levels. */
function keptLog() {
  const lines: [level: string, line: string][] = [];
  const at = (level: string) => (line: string) => {
    lines.push([level, line]);
  };
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { lines, log };
}

describe('the log option', () => {
  test('the log receives one warning when a store fails and one when the store recovers', async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    let isLost = true;
    const store = {
      get: async () => {
        if (isLost) throw new Error('the cable is out');
        return undefined;
      },
      set: async () => undefined,
    };
    const { lines, log } = keptLog();
    const client = createClient(server, { log, cache: { store } });
    await client.request('GET a');
    const warnings = () => lines.filter(([level]) => level === 'warn').map(([, line]) => line);
    expect(warnings()).toEqual([
      expect.stringMatching(/without the cache store, .*the cable is out$/),
    ]);
    isLost = false;
    // The client retries an unavailable store after 250 ms.
    await expect
      .poll(async () => {
        await client.request('GET b');
        return warnings()[1];
      })
      .toMatch(/cache.* again$/);
    expect(warnings()).toHaveLength(2);
  });

  test('the log receives a warning for a 500, but not for a 499', async () => {
    const server = await serve((request, response) =>
      sendJson(response, {}, request.url.endsWith('500') ? 500 : 499),
    );
    const { lines, log } = keptLog();
    const client = createClient(server, { log, retry: false });
    for (const status of [499, 500]) {
      await rejectionOf(client.request(`GET ${String(status)}`));
    }
    expect(lines.map(([level]) => level)).toEqual(['info', 'warn']);
  });

  test("the log option doesn't hide events from other subscribers", async () => {
    const server = await serve((_request, response) => sendJson(response, []));
    const events = recordEvents('triforge:request:end');
    const { lines, log } = keptLog();
    await createClient(server, { log }).request('GET a');
    expect(lines).toHaveLength(1);
    expect(events).toMatchObject([['triforge:request:end', { status: 200, attempt: 1 }]]);
    const [[, end] = []] = events;
    const { duration } = Object(end);
    expect(duration).toBeGreaterThan(0);
    expect(duration).toBeLessThan(performance.now());
  });
});
