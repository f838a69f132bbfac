import { ConfigurationError, InvalidRequestError } from '../../errors/index.js';
import { copyOptions, invalidOption, optionNames } from '../../option-names.js';
import { describeLength } from '../../schema/unknown-values.js';
import { buildMediaType } from '../../transport/http/media-type.js';
import { type Authorizer, computeFingerprint } from '../../transport/request/credentials.js';
import { encodeParameters } from '../../transport/request/input.js';
import {
  type ClientOptions,
  parsePlainUrl,
  resolveSettings,
  type TransportSettings,
} from '../../transport/settings.js';
import { isPrintable } from '../auth/application-rules.js';
import { checkRedirectUri, httpUrl } from './redirect-uri.js';
import { acceptTypes } from './token.js';

/**
 * Options for an `OAuthWebFlow`. They identify the application and include the `ClientOptions`
 * that a flow supports.
 */
export interface OAuthWebFlowOptions
  extends Pick<
    ClientOptions,
    | 'userAgent'
    | 'dispatcher'
    | 'headers'
    | 'log'
    | 'tls'
    | 'proxy'
    | 'timeout'
    | 'retry'
    | 'maxResponseBytes'
  > {
  /**
   * Base URL of the OAuth web endpoints, without `/login/oauth/…`, for example
   * `https://code.example.com`.
   */
  readonly authUrl: string | URL;
  /** Client ID of the application, 20 characters. */
  readonly clientId: string;
  /**
   * Client secret of the application, 40 characters. Sent only to `authUrl` and masked in errors
   * and logs.
   */
  readonly clientSecret: string;
  /**
   * URL that users return to, unless a call overrides it. Default: the application's registered
   * callback URL.
   */
  readonly redirectUri?: string | undefined;
  /**
   * Callback URL that the application is registered with. Redirect URIs are validated against it
   * (see `checkRedirectUri`). Default: none, so only the server validates them.
   */
  readonly callbackUrl?: string | URL | undefined;
  /**
   * Vendor name, accepted so that the flow can share options with `HostingClient`. The flow doesn't
   * use it. Default: `service`.
   */
  readonly vendor?: string | undefined;
}

const names = optionNames<OAuthWebFlowOptions>()(
  'authUrl clientId clientSecret redirectUri callbackUrl vendor userAgent dispatcher headers',
  'log tls proxy timeout retry maxResponseBytes',
);

/**
 * Validates the options and applies the defaults.
 * @throws {ConfigurationError} if an option is invalid. The error names the option.
 */
export function resolveOAuthSettings(options: OAuthWebFlowOptions): TransportSettings {
  const { authUrl, clientId, clientSecret, redirectUri, callbackUrl, vendor, ...shared } =
    copyOptions(options, names);
  parsePlainUrl('authUrl', authUrl);
  checkPrintable('clientId', clientId, 20);
  checkPrintable('clientSecret', clientSecret, 40);
  const media = { vendor: vendor ?? 'service', version: 'v3' } as const;
  buildMediaType(media);
  return resolveSettings(
    {
      ...shared,
      baseUrl: authUrl,
      // Token responses are short.
      maxResponseBytes: options.maxResponseBytes ?? 1_048_576,
    },
    { media, accept: acceptTypes.json, baseUrlOption: 'authUrl' },
  );
}

function checkPrintable(option: string, value: unknown, length: number): void {
  if (isPrintable(value, length)) return;
  const why = `must be ${length} printable ASCII characters (got ${describeLength(value, length)})`;
  throw invalidOption(option, why);
}

/**
 * Checks the redirect URI and the callback URL.
 * @throws {ConfigurationError} if either URL is invalid, or the URLs don't match.
 */
export function checkRedirectOptions({ redirectUri, callbackUrl }: OAuthWebFlowOptions): void {
  try {
    if (callbackUrl !== undefined) httpUrl(callbackUrl, 'callbackUrl');
    if (redirectUri !== undefined) checkRedirectUri(redirectUri, callbackUrl ?? redirectUri);
  } catch (cause) {
    if (!(cause instanceof InvalidRequestError)) throw cause;
    throw new ConfigurationError(cause.message, { option: cause.field, cause });
  }
}

/**
 * Creates an authorizer that sends the client ID and secret as form fields, and only to the flow's
 * origin.
 */
export function applicationAuthorizer({ clientId, clientSecret }: OAuthWebFlowOptions): Authorizer {
  const credentials = {
    headers: {},
    parameters: encodeParameters([
      ['client_id', clientId],
      ['client_secret', clientSecret],
    ]),
    parametersIn: 'form_or_query',
    secrets: [clientSecret],
    fingerprint: computeFingerprint('oauth', clientId, clientSecret),
  } as const;
  return {
    credentialParameters: new Set(['client_id', 'client_secret']),
    unauthorizedHint: 'the client ID or secret is wrong. Check clientId and clientSecret.',
    credentials: () => credentials,
  };
}
