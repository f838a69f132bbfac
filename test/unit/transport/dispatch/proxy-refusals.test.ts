import { describe, expect, it } from 'vitest';
import { attempt } from '../scripted-dispatcher.js';

describe('proxy errors', () => {
  const sentWith = async (message: string) => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().fail(new Error(message));
    return await outcome;
  };

  it("a failure has sent: false for undici's proxy error messages", async () => {
    for (const message of [
      'Proxy response (403) !== 200 when HTTP Tunneling',
      'Proxy Authentication Required (407)',
    ]) {
      expect(await sentWith(message)).toMatchObject({ kind: 'connection', sent: false });
    }
  });

  it("a failure has sent: true for a message that merely contains undici's wording", async () => {
    const message = 'the server said: Proxy response (403) !== 200';
    expect(await sentWith(message)).toMatchObject({ kind: 'connection', sent: true });
  });
});
