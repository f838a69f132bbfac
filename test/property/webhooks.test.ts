import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTriforgeError, parseDelivery } from '../../src/webhooks/index.js';
import { numRuns } from '../support/extent.js';
import { signDelivery } from '../support/sign-delivery.js';

const secret = fc.string({ minLength: 1, unit: 'grapheme' });
const payload = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
const contentType = fc.constantFrom('json' as const, 'form' as const);
const event = 'an_event';

/** Returns the parsed delivery, or the code of the triforge error that parseDelivery() throws. */
function parsedOr(input: Parameters<typeof parseDelivery>[0]): unknown {
  try {
    return parseDelivery(input);
  } catch (error) {
    if (!isTriforgeError(error)) throw error;
    return error.code;
  }
}

test('parseDelivery() accepts a signed delivery and returns its payload unchanged', () => {
  const own = payload.map((value) => ({ ...value, sender: null, repository: null, action: 'x' }));
  fc.assert(
    fc.property(secret, own, contentType, (key, value, type) => {
      const given = { ...value, organization: undefined };
      const signed = signDelivery({ event, payload: given, secret: key, contentType: type });
      const delivery = parseDelivery({ ...signed, secret: ['another', key] });
      expect(delivery.payload).toEqual(JSON.parse(JSON.stringify(given)));
    }),
    { numRuns },
  );
});

test('parseDelivery() rejects a changed body or a wrong secret', () => {
  fc.assert(
    fc.property(
      secret,
      payload,
      contentType,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      (key, value, type, at, by) => {
        const signed = signDelivery({ event, payload: value, secret: key, contentType: type });
        const bytes = Buffer.from(signed.body);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ by;
        expect(parsedOr({ headers: signed.headers, body: bytes, secret: key })).toBe('signature');
        expect(parsedOr({ ...signed, secret: `${key}.` })).toBe('signature');
      },
    ),
    { numRuns },
  );
});

test('parseDelivery() throws only triforge errors for any headers and body', () => {
  const header = fc.oneof(
    fc.string(),
    fc.constant(undefined),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const type = fc.oneof(
    fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
    header,
  );
  const body = fc.oneof(
    fc.uint8Array(),
    fc.string(),
    fc.json(),
    fc.json().map((text) => `payload=${encodeURIComponent(text)}`),
  );
  const name = fc.oneof(fc.constantFrom('push', 'ping', 'issues', 'status', 'star'), header);
  fc.assert(
    fc.property(
      name,
      type,
      header,
      header,
      body,
      fc.boolean(),
      (given, media, old, strong, raw, signed) => {
        const headers = {
          'x-service-event': given,
          'x-service-delivery': old,
          'content-type': media,
          'x-hub-signature': old,
          'x-hub-signature-256': strong,
        };
        parsedOr({ headers, body: raw, secret: signed && 'secret' });
      },
    ),
    { numRuns },
  );
});
