import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError } from '../../../../src/errors/index.js';
import {
  type ObservedCall,
  reportEnd,
  reportThrown,
} from '../../../../src/transport/policies/attempts.js';
import { Attempt } from '../../../../src/transport/policies/context.js';
import { publish } from '../../../../src/transport/request/diagnostics.js';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
import { failure, respond } from '../attempt-results.js';
import { recordEvents } from '../recorded-events.js';
import { spec } from './cached-spec.js';

const elsewhere = { origin: 'https://files.example.net', path: '/s3cret/x?page=3&signature=abc' };
/** Creates a call whose second attempt was sent. */
function callWith(state: Partial<Attempt> = {}, more: Partial<ObservedCall> = {}): ObservedCall {
  const attempt = Object.assign(new Attempt(2, elsewhere), { startedAt: 1000, ...state });
  return { request: spec, attempt, secrets: ['s3cret'], ...more };
}
const call = callWith();
/** The request as it appears in events, with its secrets masked. */
const request = {
  operation: 'things.get',
  method: 'GET',
  url: 'https://files.example.net/***/x?page=3&signature=***',
};
const event = { request, attempt: 2, duration: 250 };
const recordAllEvents = () =>
  recordEvents('triforge:request:end', 'triforge:request:error', 'triforge:cache:hit');

/** A request whose `operation` throws when it is read. */
const untouchable: RequestSpec = {
  ...spec,
  get operation(): string {
    throw new Error('the event was created without subscribers');
  },
};

beforeEach(() => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1250);
  return () => clock.mockRestore();
});

describe('reportEnd()', () => {
  it.each([200, 404, 503])(
    'reportEnd() publishes the request, attempt number and duration for status %i',
    (status) => {
      const events = recordAllEvents();
      reportEnd(publish, call, respond(status));
      expect(events).toEqual([['triforge:request:end', { ...event, status }]]);
    },
  );

  it.each(['connection', 'timeout_headers', 'truncated'] as const)(
    'reportEnd() publishes an error of kind %s if the attempt fails',
    (kind) => {
      const events = recordAllEvents();
      reportEnd(publish, call, failure(kind));
      expect(events).toEqual([['triforge:request:error', { ...event, kind }]]);
    },
  );

  it('reportEnd() publishes status 304 and a cache hit for a cached response', () => {
    const events = recordAllEvents();
    reportEnd(publish, callWith({ fromCache: true }), respond(200));
    expect(events).toEqual([
      ['triforge:request:end', { ...event, status: 304 }],
      ['triforge:cache:hit', { request }],
    ]);
  });

  it("reportEnd() doesn't publish a cache hit if the server responded", () => {
    const events = recordEvents('triforge:cache:hit');
    reportEnd(publish, call, respond(200));
    expect(events).toEqual([]);
  });

  it("reportEnd() doesn't create an event without subscribers", () => {
    const unrecorded = { request: untouchable };
    reportEnd(publish, callWith({ fromCache: true }, unrecorded), respond(200));
    reportEnd(publish, callWith({}, unrecorded), failure('connection'));
    expect(performance.now).not.toHaveBeenCalled();
  });
});

describe('reportThrown()', () => {
  const here = { ...request, url: 'https://code.example.com/api/v3/thing?page=2' };

  it("reportThrown() publishes a thrown error's code as the kind of the event", () => {
    const events = recordAllEvents();
    reportThrown(publish, call, new ConfigurationError('wrong', { option: 'token' }));
    expect(events).toEqual([
      ['triforge:request:error', { ...event, request: here, kind: 'configuration' }],
    ]);
  });

  it.each([new Error('configuration'), 'a text', undefined, { code: 'ENOENT' }])(
    "reportThrown() publishes the kind 'unknown' for the thrown value %o",
    (thrown) => {
      const events = recordAllEvents();
      reportThrown(publish, call, thrown);
      expect(events).toEqual([
        ['triforge:request:error', { ...event, request: here, kind: 'unknown' }],
      ]);
    },
  );

  it('reportThrown() masks secrets in the request URL', () => {
    const events = recordAllEvents();
    const target = { origin: 'https://code.example.com', path: '/api/v3/thing-1?page=2' };
    reportThrown(
      publish,
      callWith({}, { request: { ...spec, target }, secrets: ['thing-1'] }),
      undefined,
    );
    expect(events).toEqual([
      [
        'triforge:request:error',
        {
          ...event,
          request: {
            operation: 'things.get',
            method: 'GET',
            url: 'https://code.example.com/api/v3/***?page=2',
          },
          kind: 'unknown',
        },
      ],
    ]);
  });

  it("reportThrown() doesn't create an event without subscribers", () => {
    reportThrown(publish, callWith({}, { request: untouchable }), new Error('x'));
    expect(performance.now).not.toHaveBeenCalled();
  });

  it("reportThrown() doesn't publish an event for an attempt that was never sent", () => {
    const events = recordAllEvents();
    reportThrown(publish, callWith({ startedAt: undefined }), new Error('x'));
    expect(events).toEqual([]);
  });
});
