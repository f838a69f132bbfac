import fc from 'fast-check';
import { test } from 'vitest';
import { isTriforgeError, parseDelivery } from '../../src/webhooks/index.js';
import { numRuns } from '../support/extent.js';

/** Returns the parsed delivery, or the code of the triforge error that parseDelivery() throws. */
function parsedOr(input: Parameters<typeof parseDelivery>[0]): unknown {
  try {
    return parseDelivery(input);
  } catch (error) {
    if (!isTriforgeError(error)) throw error;
    return error.code;
  }
}

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
