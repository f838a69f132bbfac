import { channel } from 'node:diagnostics_channel';

const changed = channel('triforge:emulator:change');

/**
 * Tells clients in this process that clock or budgets were changed from outside, so that they forget what
 * answers told them of both: a real server's clock never jumps.
 */
export function tellClients(): void {
  changed.publish({});
}
