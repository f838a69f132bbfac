import { randomUUID } from 'node:crypto';
import { checkOptions, forOneCall, optionNames } from '../option-names.js';
import { describeKind } from '../schema/unknown-values.js';
import { mediaTypes } from '../transport/request/body.js';
import { createInputError } from '../transport/request/input.js';
import { listVendors } from './headers.js';
import { listSecrets } from './secrets.js';
import { signBody } from './signature.js';

/** Delivery to sign, for testing a receiver. */
export interface DeliveryToSign {
  /** Event name, for example `push`. */
  readonly event: string;
  /** Payload, serialized as JSON. */
  readonly payload: unknown;
  /** Hook secret. Default: none, so the delivery is unsigned. */
  readonly secret?: string | undefined;
  /** Delivery encoding. Default: `json`. */
  readonly contentType?: 'json' | 'form' | undefined;
  /** Vendor name in the headers. Default: `service`. */
  readonly vendor?: string | undefined;
  /** Delivery ID. Default: a random GUID. */
  readonly id?: string | undefined;
}

const names = optionNames<DeliveryToSign>()('event payload secret contentType vendor id');

/** Delivery as the server posts it. */
export interface SignedDelivery {
  /** Headers with lowercase names, as in node:http. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body, exactly as signed. */
  readonly body: string;
}

/**
 * Signs a delivery as the server does, with `X-Hub-Signature` and the `X-Hub-Signature-256` of
 * newer servers. Use the result to test a receiver without a server.
 * @throws {InvalidRequestError} if the payload can't be serialized as JSON.
 * @throws {ConfigurationError} if the secret is empty or the vendor name is invalid.
 */
export function signDelivery(delivery: DeliveryToSign): SignedDelivery {
  forOneCall(() => checkOptions(delivery, names));
  const { event, secret, contentType, id = randomUUID() } = delivery;
  const [vendor = ''] = listVendors(delivery.vendor);
  const json: string | undefined = JSON.stringify(delivery.payload);
  if (json === undefined) {
    const why = `must be serializable as JSON (got ${describeKind(delivery.payload)})`;
    throw createInputError('payload', why);
  }
  const form = contentType === 'form';
  const body = form ? new URLSearchParams({ payload: json }).toString() : json;
  const word = `${vendor.charAt(0).toUpperCase()}${vendor.slice(1)}`;
  return {
    body,
    headers: {
      'content-type': form ? mediaTypes.form : mediaTypes.json,
      'user-agent': `${word} Hookshot`,
      [`x-${vendor}-event`]: event,
      [`x-${vendor}-delivery`]: id,
      ...(secret !== undefined && signaturesFor(body, secret)),
    },
  };
}

function signaturesFor(body: string, given: string): Record<string, string> {
  const [secret = ''] = listSecrets(given);
  return {
    'x-hub-signature': signBody(body, secret, 'sha1'),
    'x-hub-signature-256': signBody(body, secret, 'sha256'),
  };
}
