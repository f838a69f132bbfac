import { randomUUID } from 'node:crypto';
import { InvalidRequestError } from '../errors/index.js';
import { checkOptions, forOneCall, optionNames } from '../option-names.js';
import { vendorsOf } from './headers.js';
import { secretsOf } from './secrets.js';
import { signBody } from './signature.js';

/** A delivery to be made up, for tests of a receiver. */
export interface DeliveryToSign {
  /** As `push`. */
  readonly event: string;
  /** What becomes JSON. */
  readonly payload: unknown;
  /** Default none: the delivery of a hook without a secret, not signed. */
  readonly secret?: string | undefined;
  /** Default `json`. */
  readonly contentType?: 'json' | 'form' | undefined;
  /** Default `service`. */
  readonly vendor?: string | undefined;
  /** Default a random GUID. */
  readonly id?: string | undefined;
}

const names = optionNames<DeliveryToSign>()('event payload secret contentType vendor id');

/** A delivery as the server would POST it. */
export interface SignedDelivery {
  /** Names in lower case, as node:http hands them over. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, byte by byte as it is signed. */
  readonly body: string;
}

/**
 * Makes a delivery as the server signs it, with `X-Hub-Signature` and the `X-Hub-Signature-256` of newer servers:
 * to test a receiver without a server.
 * @throws {InvalidRequestError} a payload that is no JSON. @throws {ConfigurationError} an empty secret, a vendor that is no word.
 */
export function signDelivery(delivery: DeliveryToSign): SignedDelivery {
  forOneCall(() => checkOptions(delivery, names));
  const { event, secret, contentType, id = randomUUID() } = delivery;
  const [vendor = ''] = vendorsOf(delivery.vendor);
  const json: string | undefined = JSON.stringify(delivery.payload);
  if (json === undefined) {
    throw new InvalidRequestError('payload: expected a value that JSON can express', {
      field: 'payload',
    });
  }
  const form = contentType === 'form';
  const body = form ? new URLSearchParams({ payload: json }).toString() : json;
  const word = `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;
  return {
    body,
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      'user-agent': `${word} Hookshot`,
      [`x-${vendor}-event`]: event,
      [`x-${vendor}-delivery`]: id,
      ...(secret !== undefined && signaturesFor(body, secret)),
    },
  };
}

function signaturesFor(body: string, given: string): Record<string, string> {
  const [secret = ''] = secretsOf(given);
  return {
    'x-hub-signature': signBody(body, secret, 'sha1'),
    'x-hub-signature-256': signBody(body, secret, 'sha256'),
  };
}
