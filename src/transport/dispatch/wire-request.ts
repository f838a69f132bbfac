import { acceptEncoding } from '../http/content-coding.js';
import { formType, type RequestBody } from '../request/body.js';
import type { Credentials } from '../request/credentials.js';
import type { Method } from '../request/endpoint.js';
import type { RequestSpec, Target } from '../request/request-spec.js';

/** One request as it goes out: everything decided, credentials included. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: RequestBody | undefined;
}

/** One step of a call: where to, how, and with which credentials. */
export interface Step {
  readonly spec: RequestSpec;
  readonly target: Target;
  readonly method: Method;
  readonly body: RequestBody | undefined;
  /** Undefined on origins that are not trusted. */
  readonly credentials: Credentials | undefined;
  /** An origin that gets none of the caller's own header fields. */
  readonly foreign: boolean;
  readonly userAgent: string;
}

/** Header fields that may go to a foreign origin. */
const travels = new Set(['accept', 'accept-encoding', 'accept-language', 'range', 'if-range']);

/** Puts a request together as it goes out. Pure. */
export function buildWireRequest(step: Step): WireRequest {
  const { spec, credentials, method } = step;
  const headers: string[] = ['user-agent', step.userAgent, 'accept-encoding', acceptEncoding];
  let accept: string | undefined = spec.accept;
  for (const [name, value] of spec.headers) {
    if (step.foreign && !travels.has(name)) continue;
    if (name === 'accept') accept = undefined;
    if (name === 'user-agent') headers[1] = value;
    else if (name === 'accept-encoding') headers[3] = value;
    else headers.push(name, value);
  }
  if (accept !== undefined) headers.push('accept', accept);
  let path = step.target.path;
  let body = step.body;
  if (credentials) {
    for (const name in credentials.headers) headers.push(name, credentials.headers[name] ?? '');
    const { parameters } = credentials;
    if (
      parameters !== '' &&
      body?.kind === 'form' &&
      credentials.parametersIn === 'form_or_query'
    ) {
      body = { kind: 'form', text: body.text === '' ? parameters : `${body.text}&${parameters}` };
    } else if (parameters !== '') {
      path += `${path.includes('?') ? '&' : '?'}${parameters}`;
    }
  }
  const contentType = contentTypeOf(body);
  const given = spec.headers.some(([name]) => name === 'content-type');
  if (contentType !== undefined && !given) headers.push('content-type', contentType);
  return { origin: step.target.origin, path, method, headers, body };
}

function contentTypeOf(body: RequestBody | undefined): string | undefined {
  if (!body || body.kind === 'stream') return undefined; // a stream says its own when it is opened
  return body.kind === 'form' ? formType : body.contentType;
}

/** Content of a body in memory. Undefined without a body, and for a stream. */
export function payloadOf(body: RequestBody | undefined): string | Uint8Array | undefined {
  if (!body || body.kind === 'stream') return undefined;
  return body.kind === 'bytes' ? body.bytes : body.text;
}
