import { describe, expect, it } from 'vitest';
import { audit } from '../../scripts/soak/audit.js';
import { soakCalls } from '../../scripts/soak/calls.js';
import { figuresOf } from '../../scripts/soak/figures.js';
import { soak } from '../../scripts/soak/run.js';
import { judge, type Verdict, verdicts } from '../../scripts/soak/verdict.js';
import { NotFoundError } from '../../src/errors/index.js';
import { AnswerInfo } from '../../src/transport/response/answer-info.js';

describe('2,000 mixed calls, 64 at a time, against a server that fails one in ten', () => {
  it('are neither lost nor doubled, and leave nothing behind', async () => {
    const seed = Number(process.env.SOAK_SEED ?? 1);
    const result = await soak({ seed, calls: 2000, concurrency: 64, faultRate: 0.1 });
    const { problems, audit: compared, server } = result;
    expect(problems, `seed ${seed}: SOAK_SEED=${seed} repeats it\n${figuresOf(result)}`).toEqual(
      [],
    );
    expect(compared).toMatchObject({ lost: 0, doubled: 0 });
    expect(new Set(compared.tallies.keys())).toEqual(new Set(soakCalls.map(({ name }) => name)));
    const played = Object.values(server.faults).reduce((sum, count) => sum + count, 0);
    expect(played, 'the server did fail requests').toBeGreaterThan(100);
    expect(server.unmodified, 'the cache did ask with its validators').toBeGreaterThan(20);
  });
});

/** One call, as the client was told of it and as the server counted it. */
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

describe('the comparison of the ledgers', () => {
  it.each<[string, Verdict, Parameters<typeof compare>[2]]>([
    ['pulls.create', 'done', { executions: 1 }],
    ['pulls.create', 'may', { executions: 1 }],
    ['pulls.create', 'may', {}],
    ['pulls.create', 'not', {}],
    ['starring.star', 'done', { executions: 3, effects: 1, repeats: 2 }],
    ['pulls.get', 'done', {}],
    ['releases.delete of none', 'not', {}],
  ])('agrees on %s, %s, %o', (name, verdict, counts) => {
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
    ['releases.delete of none', 'done', {}, /did not execute/],
    ['pulls.get', 'unsettled', {}, /never settled/],
    ['pulls.get', 'wrong', {}, /something wrong/],
  ])('finds what is wrong with %s, %s, %o', (name, verdict, counts, problem) => {
    expect(compare(name, verdict, counts).problem).toMatch(problem);
  });

  it('takes an error that nothing called for as wrong', () => {
    const response = new AnswerInfo({
      status: 404,
      statusText: 'Not Found',
      headers: {},
      url: 'http://a.example/x',
      fromCache: false,
      attempts: 1,
      credentialNames: new Set(),
    });
    const request = { operation: 'x', method: 'GET', url: 'http://a.example/x' };
    const error = new NotFoundError('m', { request, response });
    expect(judge(error, { kind: 'read', signal: undefined }).verdict).toBe('wrong');
    expect(judge(error, { kind: 'missing', signal: undefined }).verdict).toBe('not');
    expect(judge(new TypeError('x'), { kind: 'read', signal: undefined }).verdict).toBe('wrong');
  });
});
