import { randomUUID } from 'node:crypto';
import { signBody } from './signature.js';

/** A delivery to be made up, for tests of a receiver. */
export interface DeliveryToSign {
  /** As `push`. */
  readonly event: string;
  readonly payload: unknown;
  readonly secret: string;
  /** Default `json`. */
  readonly contentType?: 'json' | 'form' | undefined;
  /** Default `service`. */
  readonly vendor?: string | undefined;
  /** Default a random GUID. */
  readonly id?: string | undefined;
}

/** A delivery as the server would POST it. */
export interface SignedDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes a delivery as the server signs it: to test a receiver without a server. */
export function signDelivery(delivery: DeliveryToSign): SignedDelivery {
  const { event, secret, vendor = 'service', contentType = 'json', id = randomUUID() } = delivery;
  const json = JSON.stringify(delivery.payload);
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
      'x-hub-signature': signBody(body, secret),
      'x-hub-signature-256': signBody(body, secret, 'sha256'),
    },
  };
}
