import { describe, expect, it } from 'vitest';
import { checkExtra } from '../../../../src/transport/request/fields.js';

describe('checkExtra()', () => {
  const named = {
    operation: 'pulls.list',
    hasBody: false,
    names: new Set(['state']),
    credentialParameters: new Set(['access_token']),
  };

  it.each<[string, RegExp]>([
    ['access_token', /must not be a parameter for credentials\. Pass credentials in auth\.$/],
    ['state', /must not be one of the method's own inputs\./],
  ])('checkExtra() rejects a query parameter named %j', (name, rule) => {
    const query = Object.fromEntries([[name, 'x']]);
    expect(() => checkExtra({ query }, named)).toThrow(rule);
  });
});
