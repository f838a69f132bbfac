import * as z from 'zod/mini';
import { ResponseBodyError, ResponseShapeError } from '../../errors/index.js';
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { issuesOf, model } from '../../schema/model.js';
import { mediaTypeOf } from '../../transport/http/media-type.js';
import { showIssues } from '../../transport/response/answer-errors.js';
import { decodeJson, textOf } from '../../transport/response/parse-response.js';
import type { OAuthFailure } from './callback.js';

/** The formats in which a token can be asked for; all three say the same. */
export type OAuthFormat = 'json' | 'form' | 'xml';

/** Media types to ask with. */
export const mediaTypes: Readonly<Record<OAuthFormat, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'application/xml',
};

/** The answer to an exchange, whatever its format. */
export interface OAuthTokenAnswer {
  readonly access_token: string;
  readonly token_type: string;
  /** Granted scopes, separated by commas. */
  readonly scope?: string | null | undefined;
}

export const OAuthTokenAnswer = model<OAuthTokenAnswer>()('OAuthTokenAnswer', () => ({
  access_token: z.string().check(z.minLength(1)),
  token_type: z.string(),
  scope: z.optional(z.nullable(z.string())),
}));

/** An answer with its body, to be read. */
export interface RawTokenAnswer {
  readonly body: Buffer;
  readonly asked: OAuthFormat;
  readonly response: ResponseInfo;
  readonly request: RequestInfo;
}

/** Why a body can't be read; holds nothing of it. */
class Unreadable extends Error {}

/**
 * Reads the fields of an answer. The format is what the server says it is, and what was asked for
 * where it says nothing that is one of the three.
 * @throws {ResponseBodyError} a body of none of the three formats.
 */
export async function readFields(answer: RawTokenAnswer): Promise<ReadonlyMap<string, unknown>> {
  const { body, response, request } = answer;
  const type = mediaTypeOf(response.headers['content-type']);
  const format = formatOf(type) ?? answer.asked;
  try {
    return await read(format, body);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new ResponseBodyError(
      `${request.operation}: ${response.status}, but the body is not valid ${format}${type === '' ? '' : ` (it says it is ${type})`}: ${error.message}; the request itself was executed [${request.method} ${request.url}]`,
      {
        request,
        reason: format === 'json' ? 'invalid_json' : 'undecodable',
        status: response.status,
        response,
      },
    );
  }
}

function formatOf(type: string): OAuthFormat | undefined {
  if (/[/+]json$/.test(type)) return 'json';
  if (/[/+]xml$/.test(type) && !type.includes('html')) return 'xml';
  return type === mediaTypes.form ? 'form' : undefined;
}

async function read(format: OAuthFormat, body: Buffer): Promise<ReadonlyMap<string, unknown>> {
  if (format === 'json') return readJson(body);
  const text = textOf(body);
  if (text === undefined) throw new Unreadable('it is not UTF-8');
  if (format === 'xml') return await readXml(text);
  // Pages of HTML would pass for a form with one odd field.
  if (/^\s*[<{]/.test(text)) throw new Unreadable('it is something else');
  return new Map(new URLSearchParams(text.trim()));
}

function readJson(body: Buffer): ReadonlyMap<string, unknown> {
  const decoded = decodeJson(body, {});
  if (!decoded.ok) throw new Unreadable(decoded.detail);
  const { value } = decoded;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unreadable('it is no object');
  }
  return new Map(Object.entries(value));
}

/** Root element `OAuth`, one child a field. The parser is loaded only for those who ask for XML. */
async function readXml(text: string): Promise<ReadonlyMap<string, unknown>> {
  if (/<!DOCTYPE/i.test(text)) throw new Unreadable('it declares a document type');
  const { parseXml, XmlElement } = await import('@rgrove/parse-xml');
  try {
    const { root } = parseXml(text);
    if (root?.name !== 'OAuth') throw new Unreadable('its root is not OAuth');
    const fields = new Map<string, unknown>();
    for (const child of root.children) {
      if (child instanceof XmlElement) fields.set(child.name, child.text);
    }
    return fields;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // The parser quotes what it could not read, which may be the token.
    throw new Unreadable('it is not well-formed');
  }
}

/** A failure that the server reports, with whatever status. */
export function failureOf(fields: ReadonlyMap<string, unknown>): OAuthFailure | undefined {
  const error = fields.get('error');
  if (typeof error !== 'string' || error === '') return undefined;
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return { error, description: text('error_description'), uri: text('error_uri') };
}

/** The fields as a token's. @throws {ResponseShapeError} where they are none. */
export function tokenOf(
  fields: ReadonlyMap<string, unknown>,
  { response, request }: RawTokenAnswer,
): OAuthTokenAnswer {
  const data: unknown = Object.fromEntries(fields);
  const issues = issuesOf(OAuthTokenAnswer, data);
  // `as`: without issues it is one.
  if (!issues) return data as OAuthTokenAnswer;
  throw new ResponseShapeError(
    `${request.operation}: the answer does not fit ${OAuthTokenAnswer.name}: ${showIssues(issues)}; the request itself was executed [${request.method} ${request.url}]`,
    { request, issues, data, response },
  );
}

/** Granted scopes of an answer: separated by commas, by some servers with spaces. */
export function scopesOf(answer: OAuthTokenAnswer): string[] {
  return (answer.scope ?? '').split(/[\s,]/).filter((scope) => scope !== '');
}
