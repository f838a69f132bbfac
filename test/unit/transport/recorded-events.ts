import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { onTestFinished } from 'vitest';
import type { DiagnosticName } from '../../../src/transport/request/diagnostics.js';

/** A received event: the channel name and the message. */
export type RecordedEvent = readonly [name: string, message: unknown];

/** Subscribes to several channels until the test ends, and records their events in order. */
export function recordEvents(...names: readonly DiagnosticName[]): readonly RecordedEvent[] {
  const events: RecordedEvent[] = [];
  for (const name of names) listen(name, (message) => events.push([name, message]));
  return events;
}

/** Records the events of one channel until the test ends. */
export function recordChannel(name: DiagnosticName): readonly unknown[] {
  const messages: unknown[] = [];
  listen(name, (message) => messages.push(message));
  return messages;
}

function listen(name: DiagnosticName, note: (message: unknown) => void): void {
  subscribe(name, note);
  onTestFinished(() => {
    unsubscribe(name, note);
  });
}
