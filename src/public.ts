// What every entry point of the package shares: errors, answers, options, helpers of the transport.
export * from './errors.js';
export type { Model } from './model.js';
export type {
  Links,
  RateLimit,
  RequestInfo,
  ResponseInfo,
  ResponseScopes,
} from './response-info.js';
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js';
export type { Parameter } from './transport/body.js';
export type { CacheEntry, CacheStore } from './transport/cache.js';
export type { Call, WithResponse } from './transport/call.js';
export type { AuthOptions } from './transport/caller.js';
export type { DiagnosticEvents, DiagnosticName } from './transport/diagnostics.js';
export type { Method } from './transport/endpoint.js';
export type { PageInput } from './transport/input.js';
export { parseLinkHeader } from './transport/link-header.js';
export type {
  CacheOptions,
  ClientOptions,
  RateLimitOptions,
  RequestOptions,
  RetryOptions,
  TimeoutOptions,
  ValidationMode,
} from './transport/options.js';
export type { Page } from './transport/page.js';
export { type ListOptions, Paginated } from './transport/paginated.js';
export type { RawRequest } from './transport/raw-request.js';
export type { OnProgress, UploadData, UploadProgress } from './transport/upload.js';
export { expandUrl, type TemplateValue } from './transport/uri-template.js';
