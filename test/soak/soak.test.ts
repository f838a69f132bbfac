import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { NotFoundError } from '../../src/errors/index.js';
import { ResponseDetails } from '../../src/transport/response/response-details.js';
import { byExtent, longExtent, seeds } from '../support/extent.js';
import { audit } from './audit.js';
import { soakCalls } from './calls.js';
import { soak } from './run.js';
import { classifyError, type Verdict, verdicts } from './verdict.js';

const calls = byExtent(500, 2000, 100_000);

describe(`soak run with ${calls} calls`, () => {
  it.each(seeds(byExtent(1, 1, 3)))(
    'no call of a soak run is lost or takes effect twice (seed %i)',
    async (seed) => {
      const program = join(inject('programs'), 'test/soak/server-program.js');
      const result = await soak(program, { seed, calls, concurrency: 64, faultRate: 0.1 });
      const { problems, audit: compared, server, start, middle, end, closed } = result;
      expect(problems, `TEST_SEED=${seed} repeats this run`).toEqual([]);
      expect(compared).toMatchObject({ lost: 0, doubled: 0 });
      expect(new Set(compared.tallies.keys())).toEqual(new Set(soakCalls.map(({ name }) => name)));
      const faults = Object.values(server.faults).reduce((sum, count) => sum + count, 0);
      expect(faults, 'number of failed requests').toBeGreaterThan(calls / 20);
      expect(server.unmodified, 'number of 304 responses').toBeGreaterThan(calls / 100);
      if (!longExtent) return;
      console.table(Object.fromEntries(compared.tallies));
      console.table(server.faults);
      console.table({ start, middle, end, closed });
    },
  );
});

/** Compares one call's outcome for the client with the server's counts. */
function compare(
  name: string,
  verdict: Verdict,
  counts: Partial<Record<'executions' | 'effects' | 'repeats', number>>,
) {
  const { executions = 0, effects = executions, repeats = 0 } = counts;
  const client = {
    calls: Uint8Array.of(
      0,
      soakCalls.findIndex((call) => call.name === name),
    ),
    verdicts: Uint8Array.of(0, verdicts.indexOf(verdict)),
  };
  const { disagreements, lost, doubled } = audit(client, {
    executions: Uint16Array.of(0, executions),
    effects: Uint16Array.of(0, effects),
    repeats: Uint16Array.of(0, repeats),
    faults: {},
    requests: 1,
    unmodified: 0,
    connections: 1,
    complaints: [],
  });
  return { problem: disagreements[0]?.problem, lost, doubled };
}

describe('audit()', () => {
  it.each<[string, Verdict, Parameters<typeof compare>[2]]>([
    ['pulls.create', 'done', { executions: 1 }],
    ['pulls.create', 'may', { executions: 1 }],
    ['pulls.create', 'may', {}],
    ['pulls.create', 'not', {}],
    ['starring.star', 'done', { executions: 3, effects: 1, repeats: 2 }],
    ['pulls.get', 'done', {}],
    ['releases.delete of a missing release', 'not', {}],
  ])('audit() accepts %s with the verdict "%s" and the counts %o', (name, verdict, counts) => {
    expect(compare(name, verdict, counts)).toEqual({ problem: undefined, lost: 0, doubled: 0 });
  });

  it.each<[string, Verdict, Parameters<typeof compare>[2], RegExp]>([
    ['pulls.create', 'done', {}, /did not execute/],
    ['pulls.create', 'acted', {}, /did not execute/],
    ['pulls.create', 'done', { executions: 2 }, /2 effects/],
    ['pulls.create', 'may', { executions: 1, repeats: 1 }, /1 times more/],
    ['pulls.create', 'not', { executions: 1 }, /surely not acted/],
    ['starring.star', 'done', { executions: 2, effects: 2 }, /2 effects/],
    ['starring.unstar', 'not', { executions: 1 }, /surely not acted/],
    ['releases.delete of a missing release', 'done', {}, /did not execute/],
    ['pulls.get', 'unsettled', {}, /never settled/],
    ['pulls.get', 'wrong', {}, /a wrong result/],
  ])(
    'audit() reports a problem with %s for the verdict "%s" and the counts %o',
    (name, verdict, counts, problem) => {
      expect(compare(name, verdict, counts).problem).toMatch(problem);
    },
  );
});

describe('classifyError()', () => {
  it('classifyError() reports an unexpected error as wrong', () => {
    const response = new ResponseDetails({
      status: 404,
      statusText: 'Not Found',
      headers: {},
      url: 'http://a.example/x',
      fromCache: false,
      attempts: 1,
      credentialParameters: new Set(),
    });
    const request = { operation: 'x', method: 'GET', url: 'http://a.example/x' };
    const error = new NotFoundError('m', { request, response });
    expect(classifyError(error, { kind: 'read', signal: undefined }).verdict).toBe('wrong');
    expect(classifyError(error, { kind: 'missing', signal: undefined }).verdict).toBe('not');
    expect(classifyError(new TypeError('x'), { kind: 'read', signal: undefined }).verdict).toBe(
      'wrong',
    );
  });
});
