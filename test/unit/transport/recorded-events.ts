import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { DiagnosticName } from '../../../src/transport/request/diagnostics.js';

/** A received event: the channel name and the message. */
export type RecordedEvent = readonly [name: string, message: unknown];

/** Subscribes to several channels until the test ends, and records their events in order. */
export function recordEvents(...names: readonly DiagnosticName[]): readonly RecordedEvent[] {
  const events: RecordedEvent[] = [];
  for (const name of names) {
    const note = (message: unknown) => events.push([name, message]);
    subscribe(name, note);
    onTestFinished(() => void unsubscribe(name, note));
  }
  return events;
}
