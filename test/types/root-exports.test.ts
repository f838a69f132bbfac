import { expect, expectTypeOf, it } from 'vitest';
import type * as appliance from '../../src/console/index.js';
import type * as hosting from '../../src/hosting/index.js';
import type * as root from '../../src/index.js';
import { ApiError, OAuthWebFlow } from '../../src/index.js';
import type * as support from '../../src/support/index.js';

it('exports the models of all interfaces as types from the root entry', () => {
  expectTypeOf<root.Release>().toEqualTypeOf<hosting.Release>();
  expectTypeOf<root.Contact>().toEqualTypeOf<support.Contact>();
  expectTypeOf<root.SupportCase>().toEqualTypeOf<support.SupportCase>();
  expectTypeOf<root.ConsoleSettings>().toEqualTypeOf<appliance.ConsoleSettings>();
  expect([ApiError, OAuthWebFlow].every((value) => typeof value === 'function')).toBe(true);
});
