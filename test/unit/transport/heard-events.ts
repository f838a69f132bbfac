import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { DiagnosticName } from '../../../src/transport/request/diagnostics.js';

/** One event, as received. */
export type Heard = readonly [name: string, message: unknown];

/** Subscribes to several channels until the test ends, and records their events in order. */
export function hear(...names: readonly DiagnosticName[]): readonly Heard[] {
  const heard: Heard[] = [];
  for (const name of names) listen(name, (message) => heard.push([name, message]));
  return heard;
}

/** Records the events of one channel until the test ends. */
export function eventsOf(name: DiagnosticName): readonly unknown[] {
  const told: unknown[] = [];
  listen(name, (message) => told.push(message));
  return told;
}

function listen(name: DiagnosticName, note: (message: unknown) => void): void {
  subscribe(name, note);
  onTestFinished(() => {
    unsubscribe(name, note);
  });
}
