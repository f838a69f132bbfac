import { Readable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { conclude } from '../../../src/transport/conclude.js';
import { reads } from '../../../src/transport/job.js';
import { spec } from './cached-spec.js';
import { conclusionOf, foreignSchema, rawOf, request, Thing } from './conclusions.js';
import { hear } from './heard-events.js';
import { answer as bare } from './outcomes.js';

describe('what an answer becomes', () => {
  it('is mapped with the response at hand, and describes no request', () => {
    const map = vi.fn(() => 'mapped');
    const conclusion = conclusionOf(rawOf('{"id":7}'), { map, schema: Thing });
    expect(conclude(conclusion)).toBe('mapped');
    expect(map).toHaveBeenCalledExactlyOnceWith({ id: 7 }, conclusion.response);
    expect(conclusion.request).not.toHaveBeenCalled();
  });

  it('is nothing where no body was asked for, and the body is not read', () => {
    expect(conclude(conclusionOf(rawOf('no JSON'), { kind: 'none' }))).toBeUndefined();
  });

  it.each([
    [204, true],
    [200, true],
    [404, false],
  ])('is a membership by its status: %i is %s', (status, member) => {
    expect(conclude(conclusionOf(bare(status), { kind: 'membership' }))).toBe(member);
  });

  it.each(['bytes', 'stream'] as const)('is the very body where %s were asked for', (kind) => {
    const body = kind === 'bytes' ? Buffer.from('no JSON') : Readable.from(['no JSON']);
    expect(conclude(conclusionOf(rawOf(body), { kind }))).toBe(body);
  });

  it('is JSON without the memory of the body, which is given back once', () => {
    const release = vi.fn();
    expect(conclude(conclusionOf(rawOf('[1]', { release })))).toEqual([1]);
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('is taken out of its envelope before it is judged', () => {
    const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');
    const conclusion = conclusionOf(rawOf('{"data":{"id":7}}'), { unwrap, schema: Thing });
    expect(conclude(conclusion)).toEqual({ id: 7 });
  });

  it('passes where neither a failure nor a mismatch is found in it', () => {
    const failure = vi.fn(() => undefined);
    const mismatch = vi.fn(() => undefined);
    const unwrap = () => 'inside';
    expect(conclude(conclusionOf(rawOf('{}'), { failure, mismatch, unwrap }))).toBe('inside');
    expect(failure).toHaveBeenCalledExactlyOnceWith({});
    expect(mismatch).toHaveBeenCalledExactlyOnceWith('inside');
  });
});

describe('an answer that may be absent', () => {
  it('is undefined at 404, and the body is not read', () => {
    const map = vi.fn(() => null);
    const conclusion = conclusionOf(rawOf('not found', { status: 404 }), { absent: true, map });
    expect(conclude(conclusion)).toBeNull();
    expect(map).toHaveBeenCalledExactlyOnceWith(undefined, conclusion.response);
  });

  it.each([
    [true, 200],
    [undefined, 404],
    [false, 404],
    [undefined, 200],
  ])('is read where absent is %s and the status %i', (absent, status) => {
    expect(conclude(conclusionOf(rawOf('{"id":7}', { status }), { absent }))).toEqual({ id: 7 });
  });
});

describe('an answer that drifts from its model', () => {
  const drifted = rawOf('{"data":{"id":"seven"}}');
  const unwrap = (value: unknown) => Reflect.get(Object(value), 'data');
  const issue = { message: expect.stringMatching(/number/), path: ['id'] };

  it('passes in the mode warn, and an event tells of its issues', () => {
    const heard = hear('triforge:shape-drift');
    const conclusion = conclusionOf(drifted, { unwrap, schema: Thing }, { validation: 'warn' });
    expect(conclude(conclusion)).toEqual({ id: 'seven' });
    expect(heard).toEqual([['triforge:shape-drift', { request, model: 'Thing', issues: [issue] }]]);
  });

  it('describes its request for a listener only', () => {
    const conclusion = conclusionOf(drifted, { unwrap, schema: Thing }, { validation: 'warn' });
    expect(conclude(conclusion)).toEqual({ id: 'seven' });
    expect(conclusion.request).not.toHaveBeenCalled();
  });

  it.each(['strict', 'warn', 'off'] as const)('is not told of where it fits: %s', (validation) => {
    const heard = hear('triforge:shape-drift');
    const conclusion = conclusionOf(rawOf('{"id":7}'), { schema: Thing }, { validation });
    expect(conclude(conclusion)).toEqual({ id: 7 });
    expect(heard).toEqual([]);
  });

  it('passes without a word in the mode off', () => {
    const heard = hear('triforge:shape-drift');
    const conclusion = conclusionOf(drifted, { unwrap, schema: Thing }, { validation: 'off' });
    expect(conclude(conclusion)).toEqual({ id: 'seven' });
    expect(heard).toEqual([]);
  });
});

describe("an answer judged by a caller's own schema", () => {
  it('is the output of the schema, mapped', async () => {
    const schema = foreignSchema((value) => ({ value: [value] }));
    const map = vi.fn((value: unknown) => ({ mapped: value }));
    const conclusion = conclusionOf(rawOf('7'), { schema, map });
    await expect(conclude(conclusion)).resolves.toEqual({ mapped: [7] });
    expect(map).toHaveBeenCalledExactlyOnceWith([7], conclusion.response);
  });

  it('is told of by a schema without a name where it drifts', async () => {
    const heard = hear('triforge:shape-drift');
    const issues = [{ message: 'too small' }];
    const schema = foreignSchema(() => ({ issues }));
    const conclusion = conclusionOf(rawOf('7'), { schema }, { validation: 'warn' });
    await expect(conclude(conclusion)).resolves.toBe(7);
    expect(heard).toEqual([['triforge:shape-drift', { request, model: 'its schema', issues }]]);
  });
});

describe('a request that only reads', () => {
  it.each([
    ['GET', true],
    ['HEAD', true],
    ['POST', false],
    ['PUT', false],
    ['PATCH', false],
    ['DELETE', false],
  ] as const)('%s: %s', (method, only) => {
    expect(reads({ ...spec, method })).toBe(only);
  });
});
