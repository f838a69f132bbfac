import { expect, test } from 'vitest';
import { nearestRoutes } from '../../src/testing/nearest-routes.js';

test('of a path that is longer than any route, the beginning says what is near', () => {
  const twelve = '/a'.repeat(12);
  const routes = [`GET ${twelve}/b`, `GET ${twelve}`];
  expect(nearestRoutes(routes, 'GET', `${twelve}/b`)).toEqual(routes.toReversed());
});
