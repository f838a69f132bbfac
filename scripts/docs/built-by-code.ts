import { addKey, deleteKey } from '../../src/console/authorized-keys.js';
import { startEndpoint, upgradeEndpoint } from '../../src/console/provisioning.js';
import { clientId } from '../../src/hosting/auth/application-rules.js';
import { uploadEndpoint } from '../../src/hosting/resources/upload-asset.js';
import { openSession } from '../../src/support/session.js';
import { noContent } from '../../src/transport/request/endpoint.js';
import { filledText, optional, text } from '../../src/transport/request/input.js';
import type { AnyEndpoint } from './client-methods.js';

/** Endpoints of methods that build their requests in code. */
export const builtByCode: Readonly<Record<string, AnyEndpoint>> = {
  'appliance.start': startEndpoint,
  'appliance.upgrade': upgradeEndpoint,
  'appliance.authorizedKeys.add': addKey,
  'appliance.authorizedKeys.delete': deleteKey,
  'support.authenticate': { ...openSession, auth: 'none' },
  'hosting.releases.uploadAsset': uploadEndpoint,
  'oauth.authorizeUrl': {
    operation: 'oauth.authorizeUrl',
    method: 'GET',
    path: '/login/oauth/authorize',
    input: {
      client_id: clientId,
      redirect_uri: optional(filledText),
      scope: optional(text),
      state: filledText,
    },
    response: noContent,
    auth: 'none',
  },
};
