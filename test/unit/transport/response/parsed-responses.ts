import { expect, vi } from 'vitest';
import * as z from 'zod';
import { model } from '../../../../src/schema/model.js';
import type { StandardResult, StandardSchema } from '../../../../src/schema/standard-schema.js';
import type { RawResponse } from '../../../../src/transport/http/raw-response.js';
import { publish } from '../../../../src/transport/request/diagnostics.js';
import type { ResponseSpec } from '../../../../src/transport/request/endpoint.js';
import {
  type ParseContext,
  parseResponse,
} from '../../../../src/transport/response/parse-response.js';
import { createDetails } from './create-details.js';

/** A model for test responses. */
export const Thing = model<{ id: number }>()('Thing', () => ({ id: z.number() }));

/** The request that the responses belong to. */
export const request = {
  operation: 'things.update',
  method: 'PATCH',
  url: 'https://code.example.com/api/v3/thing',
};

/**
 * Matches a message that starts with the operation, contains text that matches `says`, and ends
 * with the request. For a write, the message also reports that the server executed it.
 */
export const messageMatching = (says: RegExp, done: 'executed' | 'read' = 'executed'): unknown => {
  const end = `[PATCH ${request.url}]`.replace(/\W/g, '\\$&');
  const note = done === 'executed' ? '\\. The server executed the request\\.' : '';
  return expect.stringMatching(new RegExp(`^things\\.update: .*${says.source}${note} ${end}$`));
};

/** Creates a successful response with a body. */
export const createRaw = (
  body: RawResponse['body'] | string,
  more: Partial<RawResponse> = {},
): RawResponse => ({
  failed: false,
  status: 200,
  statusText: '',
  headers: {},
  body: typeof body === 'string' ? [Buffer.from(body)] : body,
  ...more,
});

const echo: ResponseSpec<unknown> = { kind: 'json', schema: undefined, map: (value) => value };

/** Fields of the context that a test can override. */
interface ConclusionParts extends Partial<ParseContext<unknown>> {
  readonly secrets?: readonly string[];
}

/**
 * Creates the context in which a response is parsed, by default as JSON that is returned unchanged.
 * A `given` body stands for a successful response with that body.
 */
export const createContext = (
  given: RawResponse | RawResponse['body'] | string,
  responseSpec: Partial<ResponseSpec<unknown>> = {},
  { secrets = [], ...more }: ConclusionParts = {},
) => {
  const raw = typeof given === 'object' && 'failed' in given ? given : createRaw(given);
  const { status, statusText, headers } = raw;
  const response = createDetails({ status, statusText, headers, url: request.url });
  return {
    responseSpec: { ...echo, ...responseSpec },
    raw,
    call: { response, describe: vi.fn(() => request), secrets, accept: '' },
    validation: 'strict' as const,
    reads: false,
    writes: true,
    publish,
    ...more,
  };
};

/** Returns the error that parsing throws synchronously. */
export const thrownBy = (conclusion: ParseContext<unknown>): unknown => {
  let result: unknown;
  try {
    result = parseResponse(conclusion);
  } catch (error) {
    return error;
  }
  throw new Error(`expected an error, but got ${String(result)}`);
};

/** Creates a caller's schema, which has no name. */
export const foreignSchema = (
  judge: (value: unknown) => StandardResult<unknown>,
): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate: judge },
});
