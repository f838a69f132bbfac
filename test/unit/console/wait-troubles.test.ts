import { describe, expect, it } from 'vitest';
import {
  ApplianceConfigurationError,
  AuthenticationError,
  NotFoundError,
  ResponseBodyError,
  ResponseShapeError,
  ServerError,
  TimeoutError,
} from '../../../src/errors/index.js';
import {
  collect,
  done,
  failWith,
  refused,
  request,
  running,
  Script,
  status,
} from './wait-script.js';

describe('waitForConfiguration()', () => {
  it.each([
    ['a refused connection', refused()],
    ['a reset connection', refused('ECONNRESET')],
    ['a closed socket', refused('UND_ERR_SOCKET')],
    ['an unreachable host', refused('EHOSTUNREACH')],
    [
      'a response timeout',
      new TimeoutError('late', { request, reason: 'headers', mayHaveActed: false }),
    ],
    ['a 502', new ServerError('502', failWith(502))],
    ['a 503', new ServerError('503', failWith(503))],
    ['a 504', new ServerError('504', failWith(504))],
    ['a 404', new NotFoundError('404', failWith(404))],
    [
      'an empty response',
      new ResponseBodyError('empty', { request, reason: 'empty', status: 200, mayHaveActed: true }),
    ],
    [
      "a proxy's HTML page",
      new ResponseBodyError('page', {
        request,
        reason: 'unexpected_type',
        status: 200,
        mayHaveActed: true,
      }),
    ],
    [
      'a truncated response',
      new ResponseBodyError('cut', {
        request,
        reason: 'truncated',
        status: 200,
        mayHaveActed: true,
      }),
    ],
    [
      'the response {}',
      new ResponseShapeError('{}', {
        request,
        issues: [],
        data: {},
        response: failWith(200).response,
      }),
    ],
    [
      'the response null',
      new ResponseShapeError('null', {
        request,
        issues: [],
        data: null,
        response: failWith(200).response,
      }),
    ],
    [
      'the response ""',
      new ResponseShapeError('""', {
        request,
        issues: [],
        data: '',
        response: failWith(200).response,
      }),
    ],
    ['an undefined status', undefined],
  ])('waitForConfiguration() continues polling after %s', async (_name, trouble) => {
    const script = new Script([trouble, trouble, running, trouble, done]);
    expect(await collect(script.run())).toEqual(['running DC', 'success DD']);
  });

  it.each([
    ['an unknown host name', refused('ENOTFOUND')],
    ['an untrusted certificate', refused('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['a 401', new AuthenticationError('no', { ...failWith(401), reason: 'bad_credentials' })],
    ['a 500', new ServerError('500', failWith(500))],
    [
      'an unknown status object',
      new ResponseShapeError('odd', {
        request,
        issues: [],
        data: { state: 1 },
        response: failWith(200).response,
      }),
    ],
    [
      'a response that is a number',
      new ResponseShapeError('7', {
        request,
        issues: [],
        data: 7,
        response: failWith(200).response,
      }),
    ],
    [
      'invalid JSON',
      new ResponseBodyError('bad', {
        request,
        reason: 'invalid_json',
        status: 200,
        mayHaveActed: true,
      }),
    ],
    ['an unknown error', new RangeError('not ours')],
  ])('waitForConfiguration() rejects without polling again after %s', async (_name, error) => {
    const script = new Script([error, done]);
    await expect(script.run().done()).rejects.toBe(error);
    expect(script.requests).toBe(1);
  });

  it('waitForConfiguration() yields the failed status, then throws an ApplianceConfigurationError', async () => {
    const failed = status('failed', 'DONE', 'FAILED', 'PENDING');
    const script = new Script([running, failed]);
    const words: string[] = [];
    const run = script.run();
    const loop = async () => {
      for await (const { status: word } of run) words.push(word);
    };
    const error: unknown = await loop().catch((cause: unknown) => cause);
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

  it('waitForConfiguration() throws if a step has failed while the status is still running', async () => {
    const script = new Script([running, status('running', 'DONE', 'FAILED')]);
    await expect(script.run().done()).rejects.toMatchObject({ step: 'step 2' });
    const atOnce = new Script([status('running', 'DONE', 'FAILED')]);
    await expect(atOnce.run().done()).rejects.toMatchObject({ step: 'step 2' });
    expect(atOnce.requests, 'requests for a run that has already failed').toBe(1);
  });

  it('waitForConfiguration() ignores a failed step of the previous run', async () => {
    const before = status('failed', 'DONE', 'FAILED');
    const script = new Script([before, status('running', 'DONE', 'FAILED'), running, done]);
    expect(await collect(script.run())).toEqual(['running DC', 'success DD']);
  });

  it('waitForConfiguration() throws if the status reports a failure and no steps', async () => {
    const script = new Script([running, { status: 'configuration_error', progress: [] }]);
    await expect(script.run().done()).rejects.toMatchObject({
      step: '',
      message: expect.stringContaining('configuration_error'),
    });
  });
});
