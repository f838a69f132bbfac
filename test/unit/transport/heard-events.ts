import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { DiagnosticName } from '../../../src/transport/diagnostics.js';

/** One event as a listener got it. */
export type Heard = readonly [name: string, message: unknown];

/** Listens until the test ends; what is heard is added in the order it was published. */
export function hear(...names: readonly DiagnosticName[]): readonly Heard[] {
  const heard: Heard[] = [];
  for (const name of names) {
    const note = (message: unknown) => {
      heard.push([name, message]);
    };
    subscribe(name, note);
    onTestFinished(() => {
      unsubscribe(name, note);
    });
  }
  return heard;
}
