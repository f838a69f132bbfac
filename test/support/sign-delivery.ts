import { createHmac, randomUUID } from 'node:crypto';

/** Delivery to sign. */
export interface DeliveryToSign {
  readonly event: string;
  readonly payload: unknown;
  /** Default: none, so the delivery is unsigned. */
  readonly secret?: string | undefined;
  readonly contentType?: 'json' | 'form' | undefined;
  readonly vendor?: string | undefined;
  readonly id?: string | undefined;
}

/** Returns the value of a signature header. */
export function signBody(body: string, secret: string, algorithm: 'sha1' | 'sha256'): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(body).digest('hex')}`;
}

/** Creates the headers and the body of a delivery, as the server does. */
export function signDelivery(delivery: DeliveryToSign) {
  const { event, payload, secret, contentType, vendor = 'service', id = randomUUID() } = delivery;
  const json = JSON.stringify(payload);
  const isForm = contentType === 'form';
  const body = isForm ? new URLSearchParams({ payload: json }).toString() : json;
  const headers: Readonly<Record<string, string>> = {
    'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    [`x-${vendor.toLowerCase()}-event`]: event,
    [`x-${vendor.toLowerCase()}-delivery`]: id,
    ...(secret !== undefined && {
      'x-hub-signature': signBody(body, secret, 'sha1'),
      'x-hub-signature-256': signBody(body, secret, 'sha256'),
    }),
  };
  return { headers, body };
}
