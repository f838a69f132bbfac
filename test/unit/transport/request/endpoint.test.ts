import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { defineList, defineModel } from '../../../../src/schema/model.js';
import {
  exists,
  json,
  jsonMapped,
  list,
  noContent,
  nullOn404,
} from '../../../../src/transport/request/endpoint.js';
import { ResponseDetails } from '../../../../src/transport/response/response-details.js';
import { anyCall } from '../response/create-details.js';

const Word = defineModel<string>('Word', () => z.string());
const responseWith = (status: number) =>
  new ResponseDetails({
    status,
    statusText: '',
    headers: {},
    url: 'https://code.example.com/api/v3/thing',
    fromCache: false,
    attempts: 1,
    credentialParameters: new Set(),
  });

describe('a JSON response', () => {
  it('is validated by its schema, and has no mapping', () => {
    const responseSpec = json(Word);
    expect(responseSpec).toMatchObject({ kind: 'json', schema: Word });
    expect(responseSpec.nullOn404).toBeUndefined();
    expect(responseSpec.map).toBeUndefined();
  });

  it('is mapped by a function that receives the response and the call', () => {
    const map = vi.fn((word: string) => word.length);
    const responseSpec = jsonMapped(Word, map);
    const response = responseWith(200);
    expect(responseSpec).toMatchObject({ kind: 'json', schema: Word });
    expect(responseSpec.map?.('four', response, anyCall)).toBe(4);
    expect(map).toHaveBeenCalledExactlyOnceWith('four', response, anyCall);
  });

  it('is an array of items if the endpoint lists resources', () => {
    const responseSpec = list(Word);
    expect(responseSpec).toMatchObject({ kind: 'json', schema: defineList(Word) });
    expect(responseSpec.map).toBeUndefined();
  });
});

describe('a response that may be missing', () => {
  const responseSpec = nullOn404(jsonMapped(Word, (word) => word.length));

  it('keeps its kind and schema, and is marked nullOn404', () => {
    expect(responseSpec).toMatchObject({ kind: 'json', schema: Word, nullOn404: true });
  });

  it('is mapped to null after a 404, even if the 404 has a body', () => {
    expect(responseSpec.map?.('four', responseWith(404), anyCall)).toBeNull();
  });

  it.each([200, 403, 410])('is mapped to its value if the status is %i', (status) => {
    expect(responseSpec.map?.('four', responseWith(status), anyCall)).toBe(4);
  });
});

describe('a response declared without a body', () => {
  it('is mapped to undefined, even if the server sends a body', () => {
    expect(noContent).toMatchObject({ kind: 'none', schema: undefined });
    expect(noContent.map?.('a body', responseWith(200), anyCall)).toBeUndefined();
  });
});

describe('an existence check', () => {
  it('is true only if the response was decoded as true', () => {
    expect(exists).toMatchObject({ kind: 'exists', schema: undefined });
    const mapped = [true, false, undefined, 1, 'true'].map((value) =>
      exists.map?.(value, responseWith(204), anyCall),
    );
    expect(mapped).toEqual([true, false, false, false, false]);
  });
});
