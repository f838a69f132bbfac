import { describe, expect, it } from 'vitest';
import { attempt } from '../scripted-dispatcher.js';

describe('a proxy error', () => {
  const sentWith = async (message: string) => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().fail(new Error(message));
    return await outcome;
  };

  it("means that nothing was sent if its wording is undici's", async () => {
    for (const message of [
      'Proxy response (403) !== 200 when HTTP Tunneling',
      'Proxy Authentication Required (407)',
    ]) {
      expect(await sentWith(message)).toMatchObject({ kind: 'connection', sent: false });
    }
  });

  it('means that the request may have been sent if its wording is different', async () => {
    const message = 'the server said: Proxy response (403) !== 200';
    expect(await sentWith(message)).toMatchObject({ kind: 'connection', sent: true });
  });
});
