export {
  InvalidRequestError,
  isTriforgeError,
  SignatureError,
  type SignatureProblem,
  TriforgeError,
} from '../errors.js';
export { type DeliveryHeaders, type ParseInput, parseDelivery } from './delivery.js';
export type {
  DeliveredEvent,
  Delivery,
  EventPayload,
  HookEvent,
  IssuesPayload,
  OtherDelivery,
  PingPayload,
} from './events.js';
export { hookEvents } from './events.js';
export { createFetchHandler, createNodeListener } from './listeners.js';
export type { ReceiverOptions } from './receive.js';
export { type DeliveryToSign, type SignedDelivery, signDelivery } from './sign.js';
export { type RawBody, type VerifyInput, verifySignature } from './signature.js';
