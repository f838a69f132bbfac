import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VisitedUrls } from '../../../../src/transport/pagination/page-walker.js';
import { numRuns } from '../../../support/extent.js';

const list = 'https://code.example.com/api/v3/users';

describe('VisitedUrls', () => {
  it.each([
    [`${list}?page=2`],
    [`${list}?per_page=100&page=2&state=open`],
    [`${list}?page=02`],
    [`${list}?page=2e3`],
    [`${list}?page=`],
    [`${list}?page=9007199254740993`],
    [`${list}?cursor=abc`],
    [list],
  ])('remembers the visited URL %s', (url) => {
    const visited = new VisitedUrls();
    expect(visited.has(url)).toBe(false);
    visited.add(url);
    expect(visited.has(url)).toBe(true);
  });

  it.each([
    [`${list}?page=2`, `${list}?page=3`],
    [`${list}?page=2`, `${list}?page=02`],
    [`${list}?page=2`, `${list}?page=2&state=open`],
    [`${list}?page=12`, `${list}?page=1`],
    [`${list}?page=1&a=2`, `${list}?page=12&a=`],
    [`${list}?page=9007199254740992`, `${list}?page=9007199254740993`],
    [`${list}?subpage=2`, `${list}?page=2`],
    [`${list}?page=1&page=2`, `${list}?page=2&page=1`],
    [`${list}?cursor=abc`, `${list}?cursor=abd`],
  ])('distinguishes the visited URL %s from %s', (one, other) => {
    const visited = new VisitedUrls();
    visited.add(one);
    expect(visited.has(other)).toBe(false);
  });

  it('VisitedUrls remembers exactly the added URLs', () => {
    const part = fc.constantFrom('page=', 'per_page=', '1', '2', '12', '0', '&', '?', 'a', ' ');
    const url = fc.array(part, { maxLength: 8 }).map((parts) => `${list}?${parts.join('')}`);
    fc.assert(
      fc.property(fc.array(url, { maxLength: 20 }), fc.array(url), (added, requested) => {
        const visited = new VisitedUrls();
        for (const each of added) visited.add(each);
        for (const each of [...added, ...requested]) {
          expect(visited.has(each), each).toBe(added.includes(each));
        }
      }),
      { numRuns },
    );
  });
});
