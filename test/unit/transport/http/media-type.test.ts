import { describe, expect, test } from 'vitest';
import { buildMediaType, parseEssence } from '../../../../src/transport/http/media-type.js';
import { about } from '../../about.js';

describe('buildMediaType()', () => {
  const context = { vendor: 'service', version: 'v3' } as const;
  test.each([
    [{ ...context }, 'application/vnd.service.v3+json'],
    [{ ...context, version: 'beta' as const }, 'application/vnd.service.beta+json'],
    [{ ...context, variant: 'raw', json: false }, 'application/vnd.service.v3.raw'],
    [
      { ...context, resource: 'commitcomment', variant: 'full' },
      'application/vnd.service.commitcomment.full+json',
    ],
    [{ ...context, version: '2022-11-28' as const }, 'application/vnd.service+json'],
    [
      { ...context, version: '2026-03-08' as const, variant: 'raw', json: false },
      'application/vnd.service.raw',
    ],
    [
      { ...context, version: '2022-11-28' as const, resource: 'commitcomment', variant: 'full' },
      'application/vnd.service-commitcomment.full+json',
    ],
    [{ ...context, vendor: 'git-hub2' }, 'application/vnd.git-hub2.v3+json'],
  ])('buildMediaType() maps %j to the media type %s', (request, expected) => {
    expect(buildMediaType(request)).toBe(expected);
  });

  test.each(['', 'a b', 'x\r\ny', '-x', 'a/b'])(
    'buildMediaType() rejects the vendor %j',
    (vendor) => {
      const attempt = () => buildMediaType({ ...context, vendor });
      const message = about('vendor', /letters, digits and hyphens/);
      expect(attempt).toThrow(
        expect.objectContaining({ code: 'configuration', option: 'vendor', message }),
      );
    },
  );
});

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON; charset=UTF-8', 'application/json'],
  ['text/html; x=y; charset="latin1"; charset=utf-8', 'text/html'],
  ['', ''],
  [' text/plain ; charset = utf-8 ', 'text/plain'],
  ['text/plain; charset', 'text/plain'],
  [`text/plain${';'.repeat(500_000)}`, 'text/plain'],
  [undefined, ''],
])('parseEssence() extracts the lowercase media type from %j', (header, type) => {
  expect(parseEssence(header)).toBe(type);
});
