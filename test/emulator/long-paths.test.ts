import { expect, test } from 'vitest';
import { nearestRoutes } from '../../src/testing/nearest-routes.js';

test('nearestRoutes finds the routes closest to a path longer than any route', () => {
  const twelve = '/a'.repeat(12);
  const routes = [`GET ${twelve}/b`, `GET ${twelve}`];
  expect(nearestRoutes(routes, 'GET', `${twelve}/b`)).toEqual(routes.toReversed());
});
