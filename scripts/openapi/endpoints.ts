import { addKey, deleteKey } from '../../src/console/authorized-keys.js';
import { startEndpoint, upgradeEndpoint } from '../../src/console/provisioning.js';
import { clientId } from '../../src/hosting/auth/application-rules.js';
import { ReleaseAsset } from '../../src/hosting/models/index.js';
import { OAuthTokenAnswer } from '../../src/hosting/oauth/token.js';
import { inRepoById } from '../../src/hosting/resources/common.js';
import { openSession } from '../../src/support/session.js';
import {
  endpoint,
  json,
  noContent,
  type ResponseSpec,
  unspecified,
} from '../../src/transport/request/endpoint.js';
import { filledText, oneOf, optional, type Rule, text } from '../../src/transport/request/input.js';
import type { AnyEndpoint } from '../docs/client-methods.js';

type Rules = Readonly<Record<string, Rule>>;

const redirectUri = { redirect_uri: optional(filledText) };
const assetName = { name: filledText, label: optional(text) };
const authorization = { client_id: clientId, scope: optional(text), state: filledText };

/** Endpoints of methods that build their requests by code. */
export const builtByCode: Readonly<Record<string, AnyEndpoint>> = {
  'appliance.start': startEndpoint,
  'appliance.upgrade': upgradeEndpoint,
  'appliance.authorizedKeys.add': addKey,
  'appliance.authorizedKeys.delete': deleteKey,
  'support.authenticate': { ...openSession, auth: 'none' },
  'hosting.releases.uploadAsset': endpoint<
    Record<keyof typeof inRepoById | 'name' | 'label', unknown>
  >('POST /repos/{owner}/{repo}/releases/{id}/assets')({
    operation: 'releases.uploadAsset',
    input: { ...inRepoById, ...assetName },
    answer: unspecified(json(ReleaseAsset)),
  }),
  'oauth.authorizeUrl': endpoint<
    Record<keyof typeof authorization | keyof typeof redirectUri, unknown>
  >('GET /login/oauth/authorize')({
    operation: 'oauth.authorizeUrl',
    input: { ...authorization, ...redirectUri },
    auth: 'none',
    answer: noContent,
  }),
};

const hubFields: Rules = {
  'hub.mode': oneOf('subscribe', 'unsubscribe'),
  'hub.topic': filledText,
  'hub.callback': optional(filledText),
  'hub.secret': optional(filledText),
};

/** Rules of the fields that `serialize` sends under other names than those of the inputs. */
export const sentFields: Readonly<Record<string, Rules>> = {
  'oauth.exchangeCode': { code: filledText, ...redirectUri },
  'appliance.maintenance.set': {
    maintenance: { ...text, schema: { type: 'string', contentMediaType: 'application/json' } },
  },
  'appliance.configure': { complete: optional(oneOf('1')) },
  'hosting.hub.subscribe': hubFields,
  'hosting.hub.unsubscribe': hubFields,
};

/** Success statuses of operations that `test/contract/rows` lacks. */
export const statuses: Readonly<Record<string, readonly number[]>> = {
  'appliance.start': [202],
  'appliance.upgrade': [202],
  'appliance.configure': [202],
  'appliance.settings.update': [204],
  'appliance.authorizedKeys.add': [201],
  'oauth.authorizeUrl': [302],
  'hosting.contents.getArchive': [200, 302],
};

const media = { vendor: 'service', version: 'v3' } as const;

/** The forms of a response with their media types. Some depend on an input. */
export function wireResponses(
  name: string,
  { answer, input, accept }: AnyEndpoint,
): (readonly [mediaType: string | undefined, ResponseSpec<unknown>])[] {
  if (name === 'oauth.exchangeCode') return [[undefined, json(OAuthTokenAnswer)]];
  const rules: Rules = input;
  const selector = rules.mediaType ? 'mediaType' : 'type';
  const words: unknown = typeof answer === 'function' ? rules[selector]?.schema?.enum : undefined;
  const choices: unknown[] = Array.isArray(words) ? words : [];
  if (choices.length === 0 || rules.mediaType) choices.unshift(undefined);
  return choices.map((word) => {
    // `as`: functions of the input read nothing but the selector.
    const chosen = { [selector]: word } as never;
    return [accept?.(media, chosen), typeof answer === 'function' ? answer(chosen) : answer];
  });
}
