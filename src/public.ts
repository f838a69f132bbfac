// Exports shared by the clients' entry points: errors, response types, options and transport
// helpers.
export * from './errors/index.js';
export type * from './response-info.js';
export type { Model } from './schema/model.js';
export type { StandardIssue, StandardResult, StandardSchema } from './schema/standard-schema.js';
export type { Call, JsonCall } from './transport/api-client.js';
export type {
  PaginateRouteOptions,
  RequestRouteOptions,
  ResponseType,
  Route,
  RouteArguments,
  RouteInputs,
  RouteOptions,
  RouteResult,
  RouteResultOptions,
} from './transport/base-client.js';
export type { TlsOptions } from './transport/connection-options.js';
export type { DispatcherLike } from './transport/dispatch/dispatcher.js';
export { parseLinkHeader } from './transport/http/headers.js';
export type { LimitFacts, LimitStore } from './transport/limits/credential-limits.js';
export type {
  AuthOptions,
  CacheOptions,
  RateLimitOptions,
  RequestOptions,
  RetryOptions,
  TimeoutOptions,
} from './transport/options.js';
export type { Page } from './transport/pagination/page-walker.js';
export { type ListOptions, Paginated } from './transport/pagination/paginated.js';
export type {
  HookHeaders,
  HookRequest,
  HookResponse,
  RequestHooks,
} from './transport/policies/hooks.js';
export type { DiagnosticEvents, DiagnosticName, Logger } from './transport/request/diagnostics.js';
export type { Method } from './transport/request/endpoint.js';
export type { PageInput, Parameter } from './transport/request/input.js';
export { expandUrlTemplate, type TemplateValue } from './transport/request/uri-template.js';
export type { ValidationMode } from './transport/response/parse-response.js';
export type { WithResponse } from './transport/response/response-details.js';
export type { ClientOptions } from './transport/settings.js';
export type { CacheStore, DeliveryStore, StoreSettings } from './transport/stores/stores.js';
export type { OnProgress, UploadProgress } from './transport/upload/open.js';
export type { UploadData } from './transport/upload/upload.js';
