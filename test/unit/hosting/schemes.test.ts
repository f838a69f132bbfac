import { describe, expect, test } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/index.js';
import { application, basic, token } from '../../contract/case.js';
import { rejectionOf } from '../../support/client.js';
import { callback, clientWith, type Refused, topic } from './refused.js';

const { clientId: client_id, clientSecret: client_secret } = application;

describe('authentication schemes', () => {
  const others: Readonly<Record<string, HostingAuth>> = {
    'a token': token,
    'a token in the query': { ...token, in: 'query' },
    'missing credentials': { type: 'none' },
    'a function that returns a token': async () => token,
  };
  const needsBasic: readonly Refused[] = [
    (c) => c.authorizations.list().first(),
    (c) => c.authorizations.get({ id: 1 }),
    (c) => c.authorizations.create({ note: 'n' }),
    (c) => c.authorizations.getOrCreateForApp({ client_id, client_secret }),
    (c) => c.authorizations.update({ id: 1 }),
    (c) => c.authorizations.delete({ id: 1 }),
    (c) => c.hub.subscribe({ 'hub.topic': topic, 'hub.callback': callback }),
    (c) => c.hub.unsubscribe({ 'hub.topic': topic, 'hub.callback': callback }),
  ];
  const named = { client_id, access_token: 'abc' };
  const needsApplication: readonly Refused[] = [
    (c) => c.applications.checkToken(named),
    (c) => c.applications.resetToken(named),
    (c) => c.applications.revokeToken(named),
    (c) => c.applications.revokeAllTokens({ client_id }),
  ];

  test.each(Object.entries({ ...others, 'application credentials': application }))(
    'a method that requires Basic authentication rejects %s',
    async (_title, auth) => {
      for (const call of needsBasic) {
        const error = await rejectionOf(call(clientWith(auth)));
        expect(error).toMatchObject({ code: 'configuration', option: 'auth' });
        expect(String(error)).toMatch(
          /: (?:authorizations|hub)\.\w+: auth: must be a username and password for this endpoint \(got type .*\)\. Use \{ type: 'basic'/,
        );
      }
    },
  );

  test.each(Object.entries({ ...others, 'Basic credentials': basic }))(
    'a method that requires application credentials rejects %s',
    async (_title, auth) => {
      for (const call of needsApplication) {
        const error = await rejectionOf(call(clientWith(auth)));
        expect(error).toMatchObject({ code: 'configuration', option: 'auth' });
        expect(String(error)).toMatch(
          /: applications\.\w+: auth: must be .* client ID and secret for this endpoint \(got type .*\)\. Use/,
        );
      }
    },
  );
});
