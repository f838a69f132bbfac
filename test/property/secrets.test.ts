import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maskBody,
  maskSecrets,
  maskStart,
  revealsSecret,
  showUrl,
} from '../../src/masks/secrets.js';
import type { Failure } from '../../src/transport/http/raw-response.js';
import { classify } from '../../src/transport/response/classify.js';
import { createFailureError } from '../../src/transport/response/failure.js';
import { ResponseDetails } from '../../src/transport/response/response-details.js';
import { numRuns } from '../support/extent.js';

/** Secrets that are long enough to be masked even within a word and that aren't part of the mask. */
const secret = fc
  .string({ minLength: 12, maxLength: 16, unit: 'binary' })
  .filter((text) => !text.includes('*'))
  .map((text) => `9${text}`);
const around = fc.string({ unit: 'binary' });

const lower = (encoded: string) => encoded.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
const html = (text: string, code: (point: number) => string) =>
  text.replace(/[&<>"']/g, (each) => code(each.charCodeAt(0)));
const writers: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => lower(encodeURIComponent(text)),
  encodeURI,
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => new URL(`https://a.example/?x=${encodeURIComponent(text)}`).search.slice(3),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) => html(text, (point) => `&#${point};`),
  (text) => html(text, (point) => `&#x${point.toString(16)};`),
  (text) =>
    html(
      text,
      (point) => ({ 38: '&amp;', 60: '&lt;', 62: '&gt;', 34: '&quot;' })[point] ?? '&#39;',
    ),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(text).toString('base64url'),
];
const written = fc
  .tuple(secret, fc.constantFrom(...writers))
  .map(([text, write]) => [text, write(text.toWellFormed())] as const);

it('maskSecrets() removes every written form of every secret', () => {
  fc.assert(
    fc.property(written, written, around, around, ([one, first], [two, second], before, after) => {
      const text = `${before}${first}${after}${second}${before}`;
      const clean = maskSecrets(text, [one.toWellFormed(), two.toWellFormed()]);
      return !clean.includes(first) && !clean.includes(second);
    }),
    { numRuns },
  );
});

it('maskStart() never shows the start of a secret at the cut', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^[a-z]{3}\d{12}$/),
      fc.nat(200),
      fc.nat(50),
      (text, at, more) => {
        const shown = maskStart(`${' '.repeat(at)}${text}${' '.repeat(1000)}`, [text], at + more);
        return !/[a-z]/.test(shown);
      },
    ),
    { numRuns },
  );
});

it('revealsSecret() finds a secret in a URL and in a percent-encoded URL', () => {
  fc.assert(
    fc.property(secret, fc.boolean(), (text, isNested) => {
      const url = `https://a.example/?x=${encodeURIComponent(text.toWellFormed())}`;
      const target = isNested ? `https://b.example/?to=${encodeURIComponent(url)}` : url;
      return revealsSecret(target, [text.toWellFormed()]);
    }),
    { numRuns },
  );
});

it('showUrl() removes a secret from the path, query, fragment and userinfo of a URL', () => {
  fc.assert(
    fc.property(secret, fc.webUrl(), fc.nat(4), (text, url, place) => {
      const encoded = encodeURIComponent(text.toWellFormed());
      const shown = showUrl(
        [
          `${url}/${encoded}/x`,
          `${url}?page=${encoded}`,
          `${url}?x=${encoded}`,
          `${url}#${encoded}`,
          `https://u:${encoded}@a.example/`,
        ][place] ?? '',
        [text.toWellFormed()],
      );
      return !shown.includes(encoded);
    }),
    { numRuns },
  );
});

/** Secrets that are too long to occur in random text and that aren't part of the mask. */
const echoed = fc
  .stringMatching(/^[!"$%&'()+,/:;<=>?@\\^`{|}~\w .é€-]{10,20}$/u)
  .map((text) => `§${text}§`);
const context = fc.string({ unit: 'grapheme', maxLength: 20 });
const request = { operation: 'x.get', method: 'GET', url: 'https://a.example/x' };

/** Returns JSON values that contain the text in a value or a name. */
const planted = (text: string): fc.Arbitrary<unknown> =>
  fc
    .tuple(fc.jsonValue({ maxDepth: 2 }), context, context, fc.nat(3), fc.nat(3))
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
const secretAndBody = echoed.chain((text) => fc.tuple(fc.constant(text), planted(text)));

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
            { failed: false, status, statusText, headers, body: [Buffer.from(written)] },
            { request, response, secrets: [text], accept: '', now: 0, mayHaveActed: false },
          );
          expectHidden(error, text);
          expect(inspect(error.body, { depth: 20 })).not.toContain(text);
        },
      ),
      { numRuns },
    );
  });

  it('the error for a failed connection hides a secret in its message and its cause', () => {
    const kind = fc.constantFrom<Failure['kind']>(
      'connection',
      'truncated',
      'undecodable',
      'timeout_headers',
      'timeout_body',
      'timeout_connect',
    );
    fc.assert(
      fc.property(echoed, context, kind, fc.nat(3), (text, before, failed, place) => {
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
