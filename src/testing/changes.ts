import { channel } from 'node:diagnostics_channel';

const changed = channel('triforge:emulator:change');

/**
 * Notifies clients in this process that a test changed the clock or the rate limits, so that they discard
 * what they learned from responses. A real server's clock never jumps, so clients don't expect it.
 */
export function tellClients(): void {
  changed.publish({});
}
