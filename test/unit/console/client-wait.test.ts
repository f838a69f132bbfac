import { describe, expect, it } from 'vitest';
import { ConfigurationRun, type WaitSource } from '../../../src/console/configuration.js';

import { TimeoutError } from '../../../src/errors/index.js';
import {
  collect,
  done,
  FakeClock,
  refused,
  request,
  running,
  Script,
  status,
} from './wait-script.js';

describe('waitForConfiguration()', () => {
  it('waitForConfiguration() yields each status change once and in order', async () => {
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

  it('waitForConfiguration() sends no request before done() is called', async () => {
    const script = new Script([running, done]);
    const run = script.run();
    expect('then' in run).toBe(false);
    const passed = await (async () => run)();
    expect(passed).toBe(run);
    expect(script.requests).toBe(0);
    expect(await run.done()).toEqual(done);
  });

  it('waitForConfiguration() sends no request after the run has ended', async () => {
    const script = new Script([running, done]);
    const run = script.run();
    await collect(run);
    expect(await run.done()).toBe(done);
    expect(await collect(run)).toEqual(['success DD']);
    expect(script.requests).toBe(2);
  });

  it("waitForConfiguration() ignores a previous run's success until the status changes to running", async () => {
    const script = new Script([done, done, running, done]);
    expect(await collect(script.run())).toEqual(['running DC', 'success DD']);
  });

  it("waitForConfiguration() recognizes a new run that starts with the previous run's last step states", async () => {
    const script = new Script([done, status('running', 'DONE', 'DONE'), done]);
    expect(await collect(script.run())).toEqual(['running DD', 'success DD']);
  });

  it('waitForConfiguration() ends at a final status after the grace period', async () => {
    const script = new Script([done]);
    await script.run({ interval: 1000, gracePeriod: 3000 }).done();
    expect(script.requests).toBe(4);
  });

  it('waitForConfiguration() restarts the grace period when the appliance restarts', async () => {
    const gone = [refused(), refused()];
    const script = new Script([done, done, ...gone, done, done, done, done]);
    await script.run({ interval: 1000, gracePeriod: 3000 }).done();
    expect(script.clock.time).toBe(7000);
  });

  it('waitForConfiguration() ends at the first final status if gracePeriod is 0', async () => {
    const script = new Script([done]);
    await script.run({ gracePeriod: 0 }).done();
    expect(script.requests).toBe(1);
  });

  it("waitForConfiguration() determines the run's state from its steps if the status is unknown", async () => {
    const script = new Script([
      { status: 'queued', progress: [] },
      status('applying', 'CONFIGURING'),
      status('finished', 'DONE'),
    ]);
    expect(await collect(script.run())).toEqual(['queued ', 'applying C', 'finished D']);
  });

  it.each([
    ['', []],
    [', even if the last poll fails', [status('failed', 'FAILED'), refused()]],
  ])(
    'the TimeoutError of waitForConfiguration() reports an end that can be of an earlier run%s',
    async (_when, later) => {
      const script = new Script([status('failed', 'FAILED'), ...later]);
      const error: unknown = await script
        .run({ timeout: 12_000 })
        .done()
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(TimeoutError);
      expect(String(error)).toContain(
        "Last status: none for this run. The appliance reported 'failed', which can be the end of an earlier run. Set gracePeriod to accept it sooner.",
      );
    },
  );

  it("waitForConfiguration() throws a TimeoutError with the run's progress and last error", async () => {
    const script = new Script([running, refused()]);
    const error: unknown = await script
      .run({ timeout: 12_000 })
      .done()
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ reason: 'total', mayHaveActed: false, request });
    expect(String(error)).toContain(
      "the run did not finish within 12000 ms. Last status: running at step 'step 2'.",
    );
    expect(String(error)).toContain('Last error: refused.');
    expect(error).toHaveProperty('cause.message', 'refused');
    expect(script.clock.slept).toEqual([5000, 5000, 2000]);
  });

  it.each([
    ['no step is in progress', status('running', 'DONE', 'PENDING')],
    ['there are no steps', { status: 'running' }],
  ])(
    'waitForConfiguration() throws a TimeoutError without a cause if no request fails and %s',
    async (_what, shown) => {
      const error: unknown = await new Script([shown])
        .run({ timeout: 12_000 })
        .done()
        .catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(TimeoutError);
      expect(error, 'no request failed').not.toHaveProperty('cause');
    },
  );

  it('waitForConfiguration() times out after 30 minutes by default', async () => {
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
  ])(
    'waitForConfiguration() rejects an invalid %s when done() is called',
    async (field, options) => {
      const script = new Script([done]);
      await expect(script.run(options).done()).rejects.toMatchObject({
        code: 'invalid_request',
        field,
      });
      expect(script.requests).toBe(0);
    },
  );

  it("waitForConfiguration() rejects with the signal's reason if the signal is aborted", async () => {
    const reason = new Error('the operator left');
    const before = new Script([running]);
    await expect(before.run({ signal: AbortSignal.abort(reason) }).done()).rejects.toBe(reason);
    expect(before.requests).toBe(0);

    const controller = new AbortController();
    const during: WaitSource = {
      request,
      status: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          controller.abort(reason);
        }),
    };
    const run = new ConfigurationRun(during, { signal: controller.signal }, new FakeClock());
    await expect(run.done()).rejects.toBe(reason);

    const later = new AbortController();
    const pausing = new Script([running]);
    pausing.clock.sleep = async () => later.abort(reason);
    await expect(pausing.run({ signal: later.signal }).done()).rejects.toBe(reason);
  });

  it('waitForConfiguration() stops polling when the caller breaks out of the loop', async () => {
    const script = new Script([running]);
    for await (const _ of script.run()) break;
    expect(script.requests).toBe(1);
    expect(script.clock.slept).toEqual([]);
  });

  it('waitForConfiguration() resolves a pending next() of the iterator when return() is called', async () => {
    const source: WaitSource = {
      request,
      status: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    };
    const statuses = new ConfigurationRun(source, {}, new FakeClock())[Symbol.asyncIterator]();
    const pending = statuses.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await statuses.return(undefined)).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});
