import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/transport/http/raw-response.js';
import { maskBody, showHeaders } from '../../src/transport/http/redact.js';
import { classify } from '../../src/transport/response/classify.js';
import { createFailureError } from '../../src/transport/response/failure.js';
import { ResponseDetails } from '../../src/transport/response/response-details.js';
import { numRuns } from '../support/extent.js';

/** Secrets that are too long to occur in random text and that aren't part of the mask. */
const secret = fc
  .stringMatching(/^[!"$%&'()+,/:;<=>?@\\^`{|}~\w .é€-]{10,20}$/u)
  .map((text) => `§${text}§`);
const around = fc.string({ unit: 'grapheme', maxLength: 20 });
const request = { operation: 'x.get', method: 'GET', url: 'https://a.example/x' };

/** Returns JSON values that contain the text in a value or a name. */
const planted = (text: string): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.jsonValue({ maxDepth: 2 }), around, around, fc.nat(3), fc.nat(3))
    .map(([value, before, after, place, depth]) => {
      const said = `${before}${text}${after}`;
      let body: unknown = [
        { message: said, errors: [said, { code: 'custom', field: said, message: said }] },
        { [said]: value },
        [value, said],
        { errors: [{ resource: said, code: said }], documentation_url: said },
      ][place];
      for (let level = 0; level < depth; level++) body = { value, inner: body };
      return body;
    });
const secretAndBody = secret.chain((text) => fc.tuple(fc.constant(text), planted(text)));

/** Prints an error in every way that users can print it. */
function printed(error: Error): string {
  return [
    inspect(error, { depth: 9, showHidden: false }),
    JSON.stringify(error),
    error.message,
    error.stack,
    String(error),
    inspect(error.cause, { depth: 9 }),
  ].join('\n');
}

/** Returns the text as it appears in plain text, JSON, inspected values and URLs. */
function formsOf(text: string): string[] {
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    inspect(text).slice(1, -1),
    encodeURIComponent(text),
  ];
}

function expectHidden(error: Error, text: string): void {
  const shown = printed(error);
  for (const form of formsOf(text)) expect(shown).not.toContain(form);
}

describe('echoed secrets', () => {
  it('maskBody() masks a secret anywhere and leaves the rest unchanged', () => {
    fc.assert(
      fc.property(secretAndBody, ([text, body]) => {
        const clean = maskBody(body, [text]);
        expect(JSON.stringify(clean)).not.toContain(JSON.stringify(text).slice(1, -1));
        const wanted = JSON.stringify(body).replaceAll(JSON.stringify(text).slice(1, -1), '***');
        expect(JSON.stringify(clean)).toBe(wanted);
      }),
      { numRuns },
    );
  });

  it('an error hides a secret in its message, stack, fields and body', () => {
    fc.assert(
      fc.property(
        secretAndBody,
        fc.integer({ min: 300, max: 599 }),
        fc.boolean(),
        ([text, value], status, json) => {
          const headers = { 'set-cookie': text, location: `https://a.example/?x=${text}` };
          const statusText = `no ${text}`;
          const response = new ResponseDetails({
            status,
            statusText,
            headers,
            url: request.url,
            fromCache: false,
            attempts: 1,
            credentialParameters: new Set(),
          });
          const written = json ? JSON.stringify(value) : `<html>${text}</html>`;
          const error = classify(
            { failed: false, status, statusText, headers, body: Buffer.from(written) },
            { request, response, secrets: [text], accept: '', now: 0, mayHaveActed: false },
          );
          expectHidden(error, text);
          expect(inspect(error.body, { depth: 20 })).not.toContain(text);
        },
      ),
      { numRuns },
    );
  });

  it('the error for a failed connection hides a secret, also in its cause', () => {
    const kind = fc.constantFrom<Failure['kind']>(
      'connection',
      'truncated',
      'undecodable',
      'timeout_headers',
      'timeout_body',
      'timeout_connect',
    );
    fc.assert(
      fc.property(secret, around, kind, fc.nat(3), (text, before, failed, place) => {
        const said = `${before}${text}`;
        const cause = [
          new Error(said),
          Object.assign(new Error('x'), { code: said, options: { headers: [said] } }),
          new Error('outer', { cause: new Error(said) }),
          new AggregateError([new Error(said)]),
        ][place];
        const failure: Failure = {
          failed: true,
          kind: failed,
          cause,
          sent: true,
          status: undefined,
        };
        const error = createFailureError(failure, {
          request,
          timeouts: { total: 1, headers: 1, body: 1 },
          baseUrlOption: 'baseUrl',
          mayHaveActed: true,
          reads: false,
          secrets: [text],
        });
        expectHidden(error, text);
      }),
      { numRuns },
    );
  });
});

it("showHeaders() masks every header that isn't known to be harmless", () => {
  const name = fc.oneof(
    fc.stringMatching(/^[a-z][a-z-]{0,20}$/),
    fc.constantFrom('authorization', 'cookie', 'set-cookie', 'x-service-otp', 'location', 'link'),
  );
  fc.assert(
    fc.property(fc.dictionary(name, secret), (headers) => {
      const harmless =
        /^(?:accept|cache-control|content-|date$|etag$|last-modified$|retry-after$|server$|vary$|x-)/;
      for (const [field, shown] of Object.entries(showHeaders(headers, []))) {
        if (!harmless.test(field)) expect(shown, field).toBe('***');
      }
    }),
    { numRuns },
  );
});
