export {
  ConfigurationError,
  InvalidRequestError,
  isTriforgeError,
  SignatureError,
  type SignatureReason,
  TriforgeError,
} from '../errors/index.js';
export type { DeliveryStore } from '../transport/stores/stores.js';
export { type ParseInput, parseDelivery } from './delivery.js';
export type {
  EventAccount,
  EventEnvelope,
  EventOwner,
  EventPayload,
  EventRepository,
} from './envelope.js';
export {
  type DeliveredEvent,
  type Delivery,
  type EventDelivery,
  type HookEvent,
  hookEvents,
  type OtherDelivery,
} from './events.js';
export type { DeliveryHeaders, Vendor } from './headers.js';
export { createFetchHandler, createNodeListener } from './listeners.js';
export type {
  CommentPayload,
  DeploymentPayload,
  EventPayloads,
  EventSubject,
  ForkPayload,
  GollumPayload,
  IssuesPayload,
  MemberPayload,
  PageBuildPayload,
  PingPayload,
  PullRequestPayload,
  PushPayload,
  RefPayload,
  ReleasePayload,
  StatusPayload,
  TeamAddPayload,
} from './payloads.js';
export type { DeliveryHandlers, ErrorContext, ReceiverOptions } from './receiver-options.js';
export type { Secret } from './secrets.js';
export { type DeliveryToSign, type SignedDelivery, signDelivery } from './sign.js';
export { type RawBody, type VerifyInput, verifySignature } from './signature.js';
