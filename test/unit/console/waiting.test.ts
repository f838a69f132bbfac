import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConsoleApi } from '../../../src/console/common.js';
import {
  ConfigurationRun,
  classifyStatus,
  type WaitForConfiguration,
} from '../../../src/console/configuration.js';
import {
  ApplianceConfigurationError,
  AuthenticationError,
  ConnectionError,
  NotFoundError,
  ResponseBodyError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
} from '../../../src/errors/index.js';
import type { Deadline } from '../../../src/transport/dispatch/deadline.js';
import { anonymous } from '../../../src/transport/request/credentials.js';
import { ResponseDetails } from '../../../src/transport/response/response-details.js';
import { resolveSettings } from '../../../src/transport/settings.js';
import { rejectionOf } from '../../support/client.js';

/** The request that a wait's errors contain. */
const request = {
  operation: 'waitForConfiguration',
  method: 'GET',
  url: 'https://a.example/setup/api/configcheck',
};

/** Creates a status that contains the specified steps. */
const status = (word: string, ...steps: string[]) => ({
  status: word,
  progress: steps.map((step, index) => ({ key: `step ${index + 1}`, status: step })),
});

const done = status('success', 'DONE', 'DONE');
const running = status('running', 'DONE', 'CONFIGURING');

/** Returns error fields for a response with status `code`. */
function failWith(code: number) {
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
const refused = (code = 'ECONNREFUSED') =>
  new ConnectionError('refused', {
    request,
    mayHaveActed: false,
    cause: Object.assign(new Error(code), { code }),
  });

/** Creates the error for a body that can't be read. */
const unreadable = (reason: ResponseBodyError['reason']) =>
  new ResponseBodyError(reason, { request, reason, status: 200, mayHaveActed: true });

/** Creates the error for a response that isn't a status. */
const misshapen = (data: unknown) =>
  new ResponseShapeError('shape', { request, issues: [], data, response: failWith(200).response });

/** A clock that only `sleep` advances. */
class FakeClock {
  time = 0;
  readonly slept: number[] = [];
  async sleep(ms: number, signal?: AbortSignal) {
    this.slept.push(ms);
    if (!signal?.aborted) this.time += ms;
  }
}

const settings = resolveSettings(
  { baseUrl: 'https://a.example' },
  { media: { vendor: 'service', version: 'v3' }, accept: 'application/json' },
);

/** Starts a run that uses the fake clock and gets its statuses from `status`. */
function startRun(
  status: (signal?: AbortSignal) => Promise<unknown>,
  options: WaitForConfiguration = {},
  clock = new FakeClock(),
) {
  vi.spyOn(performance, 'now').mockImplementation(() => clock.time);
  const run = (
    [signal]: readonly AbortSignal[],
    work: (waiting: Pick<Deadline, 'sleep'>) => Promise<void>,
  ) => work({ sleep: (ms) => clock.sleep(ms, signal) });
  // `as`: a run uses only these parts of an API client.
  const api = {
    authorizer: anonymous,
    transport: { settings, inFlight: { run } },
    call: (_endpoint: unknown, _input: unknown, own: { signal?: AbortSignal }) =>
      status(own.signal),
  } as unknown as ConsoleApi;
  return new ConfigurationRun(api, options);
}

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the statuses in order, then repeats the last status. Throws a status that is an error. */
class Script {
  readonly clock = new FakeClock();
  requests = 0;
  constructor(readonly statuses: readonly unknown[]) {}
  run(options: WaitForConfiguration = {}) {
    return startRun(async () => next(this.statuses, this.requests++), options, this.clock);
  }
}

function next(list: readonly unknown[], index: number): unknown {
  const value = list[Math.min(index, list.length - 1)];
  if (value instanceof Error) throw value;
  return value;
}

/** Collects each status, followed by the first letter of each step's status. */
async function collect(run: ConfigurationRun) {
  const words: string[] = [];
  for await (const { status: word, progress } of run) {
    words.push(`${word} ${(progress ?? []).map((step) => String(step.status)[0]).join('')}`);
  }
  return words;
}

/** Creates a step for each state. Each step's key is its index. */
const steps = (...states: readonly string[]) =>
  states.map((status, at) => ({ key: String(at), status }));

describe('classifyStatus()', () => {
  it.each<[string, ReturnType<typeof steps>, string]>([
    ['running', [], 'running'],
    ['running', steps('DONE', 'FAILED'), 'failed'],
    ['SUCCESS', steps('PENDING'), 'succeeded'],
    ['success', steps('FAILED', 'DONE'), 'failed'],
    ['failed', steps('DONE'), 'failed'],
    ['some error', [], 'failed'],
    ['odd', steps('DONE', 'PENDING'), 'running'],
    ['odd', steps('DONE', 'DONE'), 'succeeded'],
    ['odd', steps('DONE', 'ODD'), 'unclear'],
    ['odd', [], 'unclear'],
  ])('classifies the status "%s" with the steps %j as %s', (status, progress, kind) => {
    expect(classifyStatus({ status, progress })).toMatchObject({ kind });
  });
});

describe('waitForConfiguration()', () => {
  it('yields each status change once and in order', async () => {
    const script = new Script([
      status('running', 'PENDING', 'PENDING'),
      status('running', 'CONFIGURING', 'PENDING'),
      status('running', 'CONFIGURING', 'PENDING'),
      running,
      done,
    ]);
    expect(await collect(script.run())).toEqual([
      'running PP',
      'running CP',
      'running DC',
      'success DD',
    ]);
    expect(script.clock.slept).toEqual([5000, 5000, 5000, 5000]);
  });

  it("ignores a previous run's success until the status changes to running", async () => {
    const script = new Script([done, done, running, done]);
    expect(await collect(script.run())).toEqual(['running DC', 'success DD']);
  });

  it('ends at a final status after the grace period', async () => {
    const script = new Script([done]);
    await script.run({ interval: 1000, gracePeriod: 3000 }).done();
    expect(script.requests).toBe(4);
  });

  it('restarts the grace period when the appliance restarts', async () => {
    const gone = [refused(), refused()];
    const script = new Script([done, done, ...gone, done, done, done, done]);
    await script.run({ interval: 1000, gracePeriod: 3000 }).done();
    expect(script.clock.time).toBe(7000);
  });

  it('throws a TimeoutError that mentions a possible result of an earlier run', async () => {
    const failed = status('failed', 'FAILED');
    const script = new Script([failed, failed, refused()]);
    const error = await rejectionOf(script.run({ timeout: 12_000 }).done());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(String(error)).toContain("The appliance reported 'failed', which can be the end of");
  });

  it("throws a TimeoutError with the run's progress and last error", async () => {
    const script = new Script([running, refused()]);
    const error = await rejectionOf(script.run({ timeout: 12_000 }).done());
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ reason: 'total', mayHaveActed: false, request });
    expect(String(error)).toContain(
      "the run did not finish within 12000 ms. Last status: running at step 'step 2'.",
    );
    expect(String(error)).toContain('Last error: refused.');
    expect(error).toHaveProperty('cause.message', 'refused');
    expect(script.clock.slept).toEqual([5000, 5000, 2000]);
  });

  it('times out after 30 minutes by default', async () => {
    const script = new Script([running]);
    await expect(script.run().done()).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/1800000 ms/),
    });
    const patient = new Script([...Array.from({ length: 1000 }, () => running), done]);
    expect(await patient.run({ timeout: false }).done()).toBe(done);
  });

  it.each([
    ['interval', { interval: 0 }],
    ['timeout', { timeout: -1 }],
    ['gracePeriod', { gracePeriod: Number.NaN }],
  ])('rejects an invalid %s when done() is called', async (field, options) => {
    const script = new Script([done]);
    await expect(script.run(options).done()).rejects.toMatchObject({
      code: 'invalid_request',
      field,
    });
    expect(script.requests).toBe(0);
  });

  it("rejects with the signal's reason if the signal is aborted", async () => {
    const reason = new Error('the operator left');
    const before = new Script([running]);
    await expect(before.run({ signal: AbortSignal.abort(reason) }).done()).rejects.toBe(reason);
    expect(before.requests).toBe(0);

    const later = new AbortController();
    const pausing = new Script([running]);
    pausing.clock.sleep = async () => later.abort(reason);
    await expect(pausing.run({ signal: later.signal }).done()).rejects.toBe(reason);
  });

  it.each([
    ['a refused connection', refused()],
    [
      'a response timeout',
      new TimeoutError('late', { request, reason: 'headers', mayHaveActed: false }),
    ],
    ['a 502', new ServerError('502', failWith(502))],
    ['a 404', new NotFoundError('404', failWith(404))],
    ['an empty response', unreadable('empty')],
    ["a proxy's HTML page", unreadable('unexpected_type')],
    ['the response {}', misshapen({})],
    ['an undefined status', undefined],
  ])('continues polling after %s', async (_name, trouble) => {
    const script = new Script([trouble, trouble, running, trouble, done]);
    expect(await collect(script.run())).toEqual(['running DC', 'success DD']);
  });

  it.each([
    ['an unknown host name', refused('ENOTFOUND')],
    ['an untrusted certificate', refused('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a 401', new AuthenticationError('no', { ...failWith(401), reason: 'bad_credentials' })],
    ['a 500', new ServerError('500', failWith(500))],
    ['an unknown error', new RangeError('not ours')],
  ])('rejects without polling again after %s', async (_name, error) => {
    const script = new Script([error, done]);
    await expect(script.run().done()).rejects.toBe(error);
    expect(script.requests).toBe(1);
  });

  it('yields the failed status, then throws an ApplianceConfigurationError', async () => {
    const failed = status('failed', 'DONE', 'FAILED', 'PENDING');
    const script = new Script([running, failed]);
    const words: string[] = [];
    const run = script.run();
    const loop = async () => {
      for await (const { status: word } of run) words.push(word);
    };
    const error = await rejectionOf(loop());
    expect(words).toEqual(['running', 'failed']);
    expect(error).toBeInstanceOf(ApplianceConfigurationError);
    expect(error).toMatchObject({
      code: 'appliance_configuration',
      step: 'step 2',
      status: failed,
    });
    expect(String(error)).toContain("step 'step 2' failed");
    await expect(run.done()).rejects.toBe(error);
  });

  it('throws if a step has failed while the status is still running', async () => {
    const script = new Script([running, status('running', 'DONE', 'FAILED')]);
    await expect(script.run().done()).rejects.toMatchObject({ step: 'step 2' });
    const atOnce = new Script([status('running', 'DONE', 'FAILED')]);
    await expect(atOnce.run().done()).rejects.toMatchObject({ step: 'step 2' });
    expect(atOnce.requests, 'requests for a run that has already failed').toBe(1);
  });
});
