import { ConfigurationRun, type WaitOptions } from '../../../src/console/wait.js';
import type { WaitClock, WaitSource } from '../../../src/console/wait-source.js';
import { ConnectionError } from '../../../src/errors/index.js';
import { ResponseDetails } from '../../../src/transport/response/response-details.js';

/** What a wait is told as. */
export const request = {
  operation: 'waitForConfiguration',
  method: 'GET',
  url: 'https://a.example/x',
};

/** A status whose steps are as given. */
export const status = (word: string, ...steps: string[]) => ({
  status: word,
  progress: steps.map((step, index) => ({ key: `step ${index + 1}`, status: step })),
});

export const done = status('success', 'DONE', 'DONE');
export const running = status('running', 'DONE', 'CONFIGURING');

/** What an error knows of an answer. */
export function answered(code: number) {
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

/** An appliance that is away. */
export const refused = (code = 'ECONNREFUSED') =>
  new ConnectionError('refused', {
    request,
    mayHaveActed: false,
    cause: Object.assign(new Error(code), { code }),
  });

/** A clock that stands still but for `sleep`. */
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

/** Answers in turn, the last for ever; what is an error is thrown. */
export class Script implements WaitSource {
  readonly request = request;
  readonly clock = new FakeClock();
  asked = 0;
  counted = 0;
  constructor(
    readonly statuses: readonly unknown[],
    readonly counts: readonly unknown[] = [undefined],
  ) {}
  async status() {
    return next(this.statuses, this.asked++) as never; // what a server may answer
  }
  async runCount() {
    return next(this.counts, this.counted++) as never;
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

/** Each status as a word, and the first letters of its steps. */
export async function collect(run: ConfigurationRun) {
  const words: string[] = [];
  for await (const { status: word, progress } of run) {
    words.push(`${word} ${(progress ?? []).map((step) => String(step.status)[0]).join('')}`);
  }
  return words;
}
