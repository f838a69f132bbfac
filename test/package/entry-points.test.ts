import { expect, test } from 'vitest';
import * as appliance from '../../src/console/index.js';
import * as hosting from '../../src/hosting/index.js';
import { isModel } from '../../src/schema/model.js';
import * as schemas from '../../src/schemas/index.js';
import * as support from '../../src/support/index.js';

// The API reports list the exports of each entry point.

test('triforge/schemas exports exactly one schema for each model', () => {
  const models = Object.entries({ ...hosting, ...support, ...appliance })
    .filter(([, value]) => isModel(value))
    .map(([name]) => name);
  expect(new Set(Object.keys(schemas))).toEqual(new Set(models));
});
