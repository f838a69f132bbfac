import {
  ConfigurationRun,
  type WaitClock,
  type WaitOptions,
  type WaitSource,
} from '../../../src/console/configuration.js';

import { ConnectionError } from '../../../src/errors/index.js';
import { ResponseDetails } from '../../../src/transport/response/response-details.js';

/** The request that a wait's errors contain. */
export const request = {
  operation: 'waitForConfiguration',
  method: 'GET',
  url: 'https://a.example/x',
};

/** Creates a status that contains the specified steps. */
export const status = (word: string, ...steps: string[]) => ({
  status: word,
  progress: steps.map((step, index) => ({ key: `step ${index + 1}`, status: step })),
});

export const done = status('success', 'DONE', 'DONE');
export const running = status('running', 'DONE', 'CONFIGURING');

/** Returns error fields for a response with status `code`. */
export function failWith(code: number) {
  const response = new ResponseDetails({
    status: code,
    statusText: '',
    headers: {},
    url: request.url,
    fromCache: false,
    attempts: 1,
    credentialParameters: new Set(),
  });
  return { request, response };
}

/** Creates the error for an unavailable appliance. */
export const refused = (code = 'ECONNREFUSED') =>
  new ConnectionError('refused', {
    request,
    mayHaveActed: false,
    cause: Object.assign(new Error(code), { code }),
  });

/** A clock that only `sleep` advances. */
export class FakeClock implements WaitClock {
  time = 0;
  readonly slept: number[] = [];
  now() {
    return this.time;
  }
  async sleep(ms: number, signal: AbortSignal) {
    this.slept.push(ms);
    if (!signal.aborted) this.time += ms;
  }
}

/** Returns the statuses in order, then repeats the last status. Throws a status that is an error. */
export class Script implements WaitSource {
  readonly request = request;
  readonly clock = new FakeClock();
  requests = 0;
  constructor(readonly statuses: readonly unknown[]) {}
  async status() {
    return next(this.statuses, this.requests++) as never; // `as`: a server can send anything.
  }
  run(options: WaitOptions = {}) {
    return new ConfigurationRun(this, options, this.clock);
  }
}

function next(list: readonly unknown[], index: number): unknown {
  const value = list[Math.min(index, list.length - 1)];
  if (value instanceof Error) throw value;
  return value;
}

/** Collects each status, followed by the first letter of each step's status. */
export async function collect(run: ConfigurationRun) {
  const words: string[] = [];
  for await (const { status: word, progress } of run) {
    words.push(`${word} ${(progress ?? []).map((step) => String(step.status)[0]).join('')}`);
  }
  return words;
}
