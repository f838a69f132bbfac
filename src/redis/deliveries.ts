import type { SendCommand } from './client.js';
import { claimScript, createScript, deleteOwnScript, type Script } from './scripts.js';

const handled = 'handled';

const claimUnhandledScript = `
if redis.call('GET', KEYS[1]) == '${handled}' then return '${handled}' end
${claimScript}`;

/** Claims webhook deliveries. A key's value is the claimant's ID, or `handled`. */
export class DeliveryClaims {
  readonly #send: SendCommand;
  readonly #claim: Script;
  readonly #release: Script;

  constructor(send: SendCommand) {
    this.#send = send;
    this.#claim = createScript(send, claimUnhandledScript);
    this.#release = createScript(send, deleteOwnScript);
  }

  async claim(
    key: string,
    claimant: string,
    lease: number,
  ): Promise<'granted' | 'running' | 'handled'> {
    const found = String(await this.#claim([key], claimant, `${Math.ceil(lease)}`));
    return found === handled ? handled : found === claimant ? 'granted' : 'running';
  }

  async complete(key: string, lifetime: number): Promise<void> {
    await this.#send(key, 'SET', key, handled, 'PX', `${Math.ceil(lifetime)}`);
  }

  async release(key: string, claimant: string): Promise<void> {
    await this.#release([key], claimant);
  }
}
