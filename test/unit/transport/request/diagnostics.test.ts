import { describe, expect, it, vi } from 'vitest';
import { type DiagnosticEvents, publish } from '../../../../src/transport/request/diagnostics.js';
import { recordEvents } from '../recorded-events.js';

const request = {
  operation: 'things.get',
  method: 'GET',
  url: 'https://code.example.com/api/v3/thing',
};
const events: DiagnosticEvents = {
  'triforge:request:start': { request, attempt: 1 },
  'triforge:request:end': { request, attempt: 1, status: 200, duration: 5 },
  'triforge:request:error': { request, attempt: 1, kind: 'connection', duration: 5 },
  'triforge:retry': { request, attempt: 1, delay: 1000, reason: 'status 503' },
  'triforge:wait': { operation: 'things.get', delay: 3000, reason: 'quota' },
  'triforge:redirect': { request, status: 302, location: 'https://files.example.net/thing' },
  'triforge:cache:hit': { request },
  'triforge:store': { store: 'limits', state: 'lost', reason: 'no response within 50 ms' },
  'triforge:shape-drift': { request, model: 'Thing', issues: [{ message: 'expected string' }] },
};
// `as`: `Object.keys` returns strings, but `events` has only these keys.
const names = Object.keys(events) as (keyof DiagnosticEvents)[];

describe('publish()', () => {
  it.each(names)('publishes %s only on its own channel', (name) => {
    const recorded = recordEvents(...names);
    publish(name, () => events[name]);
    expect(recorded).toEqual([[name, events[name]]]);
    expect(recorded[0]?.[1]).toBe(events[name]);
  });

  it.each(names)("doesn't create a %s event without subscribers", (name) => {
    const make = vi.fn(() => events[name]);
    publish(name, make);
    expect(make).not.toHaveBeenCalled();
  });

  it('creates an event once for all subscribers', () => {
    const first = recordEvents('triforge:wait');
    const second = recordEvents('triforge:wait');
    const make = vi.fn(() => events['triforge:wait']);
    publish('triforge:wait', make);
    expect(make).toHaveBeenCalledTimes(1);
    expect([first.length, second.length]).toEqual([1, 1]);
  });
});
