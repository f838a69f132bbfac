import * as z from 'zod/mini';
import {
  type ApiError,
  type OAuthError,
  ResponseBodyError,
  ResponseShapeError,
} from '../../errors/index.js';
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { fields, findIssues, model, nullish } from '../../schema/model.js';
import { parseEssence } from '../../transport/http/media-type.js';
import { mediaTypes } from '../../transport/request/body.js';
import { executedNote, formatMessage } from '../../transport/response/failure.js';
import { decodeJson, decodeText } from '../../transport/response/parse-response.js';
import { showIssues } from '../../transport/response/response-errors.js';
import { type OAuthFailure, oauthError } from './callback.js';

/** Format of the token response. All formats contain the same fields. */
export type OAuthFormat = 'json' | 'form' | 'xml';

/** Media types for the `Accept` header, by format. */
export const acceptTypes: Readonly<Record<OAuthFormat, string>> = {
  json: mediaTypes.json,
  form: mediaTypes.form,
  xml: 'application/xml',
};

/** Token response, independent of its format. */
export interface OAuthTokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  /** Granted scopes, comma-separated. */
  readonly scope?: string | null | undefined;
  readonly refresh_token?: string | null | undefined;
  /** Lifetime of the access token in seconds. A string in form data and XML. */
  readonly expires_in?: number | string | null | undefined;
  /** Lifetime of the refresh token in seconds. A string in form data and XML. */
  readonly refresh_token_expires_in?: number | string | null | undefined;
}

const optionalSeconds = () => z.nullish(z.union([z.int(), z.string()]));

export const OAuthTokenResponse = model<OAuthTokenResponse>()('OAuthTokenResponse', () => ({
  access_token: z.string().check(z.minLength(1)),
  token_type: z.string(),
  ...fields(nullish(z.string), 'scope refresh_token'),
  ...fields(optionalSeconds, 'expires_in refresh_token_expires_in'),
}));

/** Token response with its unparsed body. */
export interface RawTokenResponse {
  readonly body: Buffer;
  readonly requestedFormat: OAuthFormat;
  readonly response: ResponseInfo;
  readonly request: RequestInfo;
}

/** Error for a body that can't be parsed. The message contains nothing from the body. */
class Unreadable extends Error {}

/**
 * Parses a token response's fields. Uses the format that the Content-Type specifies, or the
 * requested format if the Content-Type specifies no known format.
 * @throws {ResponseBodyError} if the body can't be parsed.
 */
export async function readTokenFields(
  tokenResponse: RawTokenResponse,
): Promise<ReadonlyMap<string, unknown>> {
  const { body, response, request } = tokenResponse;
  const type = parseEssence(response.headers['content-type']);
  const format = parseFormat(type) ?? tokenResponse.requestedFormat;
  try {
    return await read(format, body);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const what = `the ${type === '' ? '' : `${type} `}body is not a token response in ${formatNames[format]}`;
    const why = `the response has status ${response.status}, but ${what} (${error.message})`;
    throw new ResponseBodyError(formatMessage(request, why, executedNote), {
      request,
      reason: format === 'json' ? 'invalid_json' : 'undecodable',
      status: response.status,
      response,
      mayHaveActed: true,
    });
  }
}

const formatNames = { json: 'JSON', xml: 'XML', form: 'form data' } as const;

function parseFormat(type: string): OAuthFormat | undefined {
  if (/[/+]json$/.test(type)) return 'json';
  if (/[/+]xml$/.test(type) && !type.includes('html')) return 'xml';
  return type === mediaTypes.form ? 'form' : undefined;
}

async function read(format: OAuthFormat, body: Buffer): Promise<ReadonlyMap<string, unknown>> {
  if (format === 'json') return readJson(body);
  const text = decodeText(body);
  if (text === undefined) throw new Unreadable('the body is not UTF-8');
  if (format === 'xml') return await readXml(text);
  // Without this check, an HTML page would parse as a form with one field.
  if (/^\s*[<{]/.test(text)) throw new Unreadable('the body looks like HTML, XML or JSON');
  return new Map(new URLSearchParams(text.trim()));
}

function readJson(body: Buffer): ReadonlyMap<string, unknown> {
  const decoded = decodeJson(body, {});
  if (!decoded.ok) throw new Unreadable(decoded.detail);
  const { value } = decoded;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unreadable('the body is not a JSON object');
  }
  return new Map(Object.entries(value));
}

/**
 * Parses XML whose root element `OAuth` has one child element per field. Loads the parser on
 * demand, because few callers use XML.
 */
async function readXml(text: string): Promise<ReadonlyMap<string, unknown>> {
  if (/<!DOCTYPE/i.test(text)) throw new Unreadable('the body contains a DOCTYPE declaration');
  const { parseXml, XmlElement } = await import('@rgrove/parse-xml');
  try {
    const { root } = parseXml(text);
    if (root?.name !== 'OAuth') throw new Unreadable("the root element is not 'OAuth'");
    const fields = new Map<string, unknown>();
    for (const child of root.children) {
      if (child instanceof XmlElement) fields.set(child.name, child.text);
    }
    return fields;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // The parser's error quotes its input, which may contain the token.
    throw new Unreadable('the body is not well-formed XML');
  }
}

/** Returns the failure that a response reports, regardless of its status. */
export function parseFailure(fields: ReadonlyMap<string, unknown>): OAuthFailure | undefined {
  const error = fields.get('error');
  if (typeof error !== 'string' || error === '') return undefined;
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return { error, description: text('error_description'), uri: text('error_uri') };
}

/**
 * Validates a token response's fields.
 * @throws {ResponseShapeError} if the fields don't match the model.
 */
export function parseToken(
  fields: ReadonlyMap<string, unknown>,
  { response, request }: RawTokenResponse,
): OAuthTokenResponse {
  const data: unknown = Object.fromEntries(fields);
  const issues = findIssues(OAuthTokenResponse, data);
  // `as`: validation found no issues.
  if (!issues) return data as OAuthTokenResponse;
  const why = `the response does not match ${OAuthTokenResponse.name}: ${showIssues(issues)}`;
  throw new ResponseShapeError(formatMessage(request, why, executedNote), {
    request,
    issues,
    data,
    response,
  });
}

/** Splits the granted scopes, which some servers separate with spaces instead of commas. */
export function parseScopes(wire: OAuthTokenResponse): string[] {
  return (wire.scope ?? '').split(/[\s,]/).filter((scope) => scope !== '');
}

/**
 * Returns the OAuth error in a 4xx response. Undefined if there is none. Some servers report
 * failures with a 4xx, and others with a 200.
 */
export async function refusal(
  error: ApiError,
  requestedFormat: OAuthFormat,
  secrets: readonly string[],
): Promise<OAuthError | undefined> {
  if (error.status >= 500 || error.code === 'rate_limit') return undefined;
  const { body, response, request } = error;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  try {
    const fields = await readTokenFields({
      body: Buffer.from(text),
      requestedFormat,
      response,
      request,
    });
    const failure = parseFailure(fields);
    // `{"error": "Not Found"}` isn't an OAuth error code.
    if (!failure || !/^[a-z][a-z_]*$/.test(failure.error)) return undefined;
    return oauthError('the code was not exchanged', failure, secrets, { cause: error });
  } catch {
    return undefined; // Keep the original error, for example for an HTML page.
  }
}
