import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import * as check from '../../src/testing/checks.js';
import {
  child,
  children,
  converted,
  createCheck,
  createRecord,
  exportRecord,
  field,
  type Import,
  importRecord,
  internal,
  type Origin,
  optional,
  record,
  required,
} from '../../src/testing/record.js';

const wheelKind = record({
  id: field(check.id(), ({ id }) => id),
  size: field(
    check.count(),
    ({ parent }: Origin<{ readonly wheelSize: number }>) => parent.wheelSize,
  ),
});

const bellKind = record({ sound: field(check.text(), 'ring') });

const bikeKind = record(
  {
    id: field(check.id(), ({ id }) => id),
    name: required(check.name()),
    label: field(check.text(), (_, { name }) => `Bike ${name}`),
    owner: optional(check.text()),
    wheelSize: field(check.count(), 28),
    tags: converted(check.texts(), () => new Set<string>(), {
      decode: (tags) => new Set(tags),
      encode: (tags) => [...tags],
    }),
    places: field(z.record(check.text(), check.text()), () => ({})),
    rides: internal(() => new Map<string, number>()),
    wheels: children(wheelKind),
    bell: child(bellKind),
    createdAt: field(check.time(), ({ now }) => now),
  },
  ['name'],
);

const now = '2014-06-01T12:00:00Z';
const origin = { id: 7, now, parent: undefined };

function importer(): Import {
  let id = 100;
  return {
    origin: (_, parent, createdAt) => ({ id: ++id, now: createdAt ?? now, parent }),
    seen: new Map(),
  };
}

describe('createRecord', () => {
  it('createRecord() replaces omitted values with defaults that can depend on earlier fields', () => {
    expect(createRecord(bikeKind, origin, { name: 'Ada' })).toEqual({
      id: 7,
      name: 'Ada',
      label: 'Bike Ada',
      owner: undefined,
      wheelSize: 28,
      tags: new Set(),
      places: {},
      rides: new Map(),
      wheels: [],
      bell: undefined,
      createdAt: now,
    });
  });

  it('createRecord() copies objects from its input and its defaults', () => {
    const places = { home: 'Berlin' };
    const one = createRecord(bikeKind, origin, { name: 'a', places });
    expect(one.places).toEqual(places);
    expect(one.places).not.toBe(places);
    const [two, three] = ['b', 'c'].map((name) => createRecord(bikeKind, origin, { name }));
    expect(two?.places).not.toBe(three?.places);
  });

  it('createRecord() passes the parent record to functions that compute defaults', () => {
    const parent = { wheelSize: 24 };
    expect(createRecord(wheelKind, { ...origin, parent }, {})).toEqual({ id: 7, size: 24 });
    // @ts-expect-error: the parent has no `wheelSize`.
    expect(() => createRecord(wheelKind, origin, {})).toThrow(TypeError);
  });

  it('createRecord() keeps null instead of using the default', () => {
    const kind = record({ end: field(check.nullTime(), ({ now }) => now) });
    expect(createRecord(kind, origin, { end: null })).toEqual({ end: null });
  });
});

describe('importRecord', () => {
  const data = {
    name: 'Ada',
    owner: 'mona',
    wheelSize: 26,
    tags: ['red'],
    wheels: [{}, { id: 3, size: 20 }],
    bell: {},
  };

  it('importRecord() imports a record with its child records', () => {
    const created = importRecord(bikeKind, data, undefined, 'bikes[0]', importer());
    expect(created).toMatchObject({
      tags: new Set(['red']),
      wheels: [
        { id: 102, size: 26 },
        { id: 3, size: 20 },
      ],
      bell: { sound: 'ring' },
    });
    const exported = exportRecord(bikeKind, created);
    expect(exported).not.toHaveProperty('rides');
    expect(importRecord(bikeKind, exported, undefined, 'bikes[0]', importer())).toEqual(created);
  });

  it.each([
    [[{ name: 'a' }, { name: 'a' }], 'bikes[1].name: must be unique (got a twice)'],
    [
      [
        { name: 'a', id: 1 },
        { name: 'b', id: 1 },
      ],
      'bikes[1].id: must be unique (got 1 twice)',
    ],
    [
      [{ name: 'a', wheels: [{ id: 1 }, { id: 1 }] }],
      'bikes[0].wheels[1].id: must be unique (got 1 twice)',
    ],
  ])('importRecord() rejects the records %j with the same ID or name', (bikes, message) => {
    const how = importer();
    const load = () =>
      bikes.map((each, index) => importRecord(bikeKind, each, undefined, `bikes[${index}]`, how));
    expect(load).toThrow(new Error(message));
  });
});

describe('createCheck', () => {
  it('createCheck() returns a check that rejects missing, internal and unknown fields', () => {
    const paths = (value: object) =>
      z
        .safeParse(createCheck(bikeKind), value)
        .error?.issues.map((issue) =>
          issue.code === 'unrecognized_keys' ? issue.keys : issue.path,
        );
    expect(paths({ name: 'a', wheels: [{}] })).toBeUndefined();
    expect(paths({})).toEqual([['name']]);
    expect(paths({ name: 'a', rides: {} })).toEqual([['rides']]);
    expect(paths({ name: 'a', wheels: [{ x: 1 }] })).toEqual([['x']]);
  });
});
