import { describe, expect, it } from 'vitest';
import { classifyStatus } from '../../../src/console/configuration.js';

/** Creates a step for each state. Each step's key is its index. */
const steps = (...states: readonly string[]) =>
  states.map((status, at) => ({ key: String(at), status }));

describe('classifyStatus()', () => {
  it.each<[string, ReturnType<typeof steps>, string]>([
    ['running', [], 'running'],
    ['Running', steps('DONE', 'DONE'), 'running'],
    ['running', steps('DONE', 'FAILED'), 'failed'],
    ['success', [], 'succeeded'],
    ['SUCCESS', steps('PENDING'), 'succeeded'],
    ['success', steps('FAILED', 'DONE'), 'failed'],
    ['failed', steps('DONE'), 'failed'],
    ['some error', [], 'failed'],
    ['odd', steps('DONE', 'PENDING'), 'running'],
    ['odd', steps('CONFIGURING', 'DONE'), 'running'],
    ['odd', steps('DONE', 'DONE'), 'succeeded'],
    ['odd', steps('DONE', 'ODD'), 'unclear'],
    ['odd', [], 'unclear'],
    ['', [], 'unclear'],
  ])(
    'classifyStatus() classifies the status "%s" with the steps %j as %s',
    (status, progress, kind) => {
      expect(classifyStatus({ status, progress })).toMatchObject({ kind });
    },
  );

  it('classifyStatus() returns the first failed step, if any', () => {
    expect(
      classifyStatus({ status: 'running', progress: steps('DONE', 'FAILED', 'FAILED') }),
    ).toEqual({
      kind: 'failed',
      step: '1',
    });
    expect(classifyStatus({ status: 'failed', progress: steps('DONE') })).toEqual({
      kind: 'failed',
      step: undefined,
    });
  });

  it('classifyStatus() classifies an unknown status without steps as unclear', () => {
    // `as`: an appliance can omit the steps, and validation can be off.
    const bare = { status: 'odd' } as Parameters<typeof classifyStatus>[0];
    expect(classifyStatus(bare)).toEqual({ kind: 'unclear' });
  });
});
