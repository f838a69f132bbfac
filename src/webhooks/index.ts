export {
  ConfigurationError,
  InvalidRequestError,
  isTriforgeError,
  SignatureError,
  type SignatureReason,
  TriforgeError,
} from '../errors/index.js';
export { type HookEvent, hookEvents } from '../hosting/models/hook.js';
export type { DeliveryStore } from '../transport/stores/stores.js';
export {
  type DeliveryHeaders,
  type ParseInput,
  parseDelivery,
  type RawBody,
  type Secret,
  type VerifyInput,
  verifySignature,
} from './delivery.js';
export type * from './event-subjects.js';
export { createFetchHandler, createNodeListener } from './listeners.js';
export type * from './payloads.js';
export type { ErrorContext, ReceiverOptions } from './receive.js';
