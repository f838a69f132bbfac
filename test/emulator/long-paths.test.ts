import { expect, test } from 'vitest';
import { nearestRoutes } from '../../src/testing/nearest-routes.js';

test('nearestRoutes() finds the closest routes for a path with 13 segments', () => {
  const twelve = '/a'.repeat(12);
  const routes = [`GET ${twelve}/b`, `GET ${twelve}`];
  expect(nearestRoutes(routes, 'GET', `${twelve}/b`)).toEqual(routes.toReversed());
});
