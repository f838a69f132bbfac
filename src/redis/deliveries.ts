import type { SendCommand } from './client.js';
import { createScript, deleteOwnScript, type Script } from './scripts.js';

const handled = 'handled';

const claimScript = `
local claimant = redis.call('GET', KEYS[1])
if claimant == '${handled}' then return 2 end
-- Ignores a claim that doesn't expire, which only another program can have written.
local isClaimed = claimant and redis.call('PTTL', KEYS[1]) >= 0
if isClaimed and claimant ~= ARGV[1] then return 1 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 0`;

/** Claims webhook deliveries. A key's value is the claimant's ID, or `handled`. */
export class DeliveryClaims {
  readonly #send: SendCommand;
  readonly #claim: Script;
  readonly #release: Script;

  constructor(send: SendCommand) {
    this.#send = send;
    this.#claim = createScript(send, claimScript);
    this.#release = createScript(send, deleteOwnScript);
  }

  async claim(
    key: string,
    claimant: string,
    lease: number,
  ): Promise<'granted' | 'running' | 'handled'> {
    const state = Number(await this.#claim([key], claimant, `${Math.ceil(lease)}`));
    return state === 2 ? 'handled' : state === 1 ? 'running' : 'granted';
  }

  async complete(key: string, lifetime: number): Promise<void> {
    await this.#send(key, 'SET', key, handled, 'PX', `${Math.ceil(lifetime)}`);
  }

  async release(key: string, claimant: string): Promise<void> {
    await this.#release([key], claimant);
  }
}
