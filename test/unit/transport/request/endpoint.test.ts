import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { defineModel } from '../../../../src/schema/model.js';
import {
  exists,
  jsonMapped,
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

describe('JSON responses', () => {
  it('jsonMapped() passes the response and the call to the mapping', () => {
    const map = vi.fn((word: string) => word.length);
    const responseSpec = jsonMapped(Word, map);
    const response = responseWith(200);
    expect(responseSpec).toMatchObject({ kind: 'json', schema: Word });
    expect(responseSpec.map?.('four', response, anyCall)).toBe(4);
    expect(map).toHaveBeenCalledExactlyOnceWith('four', response, anyCall);
  });
});

describe('nullOn404()', () => {
  const responseSpec = nullOn404(jsonMapped(Word, (word) => word.length));

  it('keeps the kind and schema of the response', () => {
    expect(responseSpec).toMatchObject({ kind: 'json', schema: Word, nullOn404: true });
  });

  it('maps a 404 with a body to null', () => {
    expect(responseSpec.map?.('four', responseWith(404), anyCall)).toBeNull();
  });

  it.each([200, 403, 410])('returns the mapped value for the status %i', (status) => {
    expect(responseSpec.map?.('four', responseWith(status), anyCall)).toBe(4);
  });
});

describe('noContent', () => {
  it('maps any body to undefined', () => {
    expect(noContent).toMatchObject({ kind: 'none', schema: undefined });
    expect(noContent.map?.('a body', responseWith(200), anyCall)).toBeUndefined();
  });
});

describe('exists', () => {
  it('maps every value other than true to false', () => {
    expect(exists).toMatchObject({ kind: 'exists', schema: undefined });
    const mapped = [true, false, undefined, 1, 'true'].map((value) =>
      exists.map?.(value, responseWith(204), anyCall),
    );
    expect(mapped).toEqual([true, false, false, false, false]);
  });
});
