import type { EmulatorClock } from '../clock.js';
import type { FamilyRequest } from '../family.js';
import type { Quirks } from '../quirks.js';
import type { Reply } from '../reply.js';
import type { Deliveries } from './deliveries.js';
import type { Account } from './records/account.js';
import type { Application } from './records/application.js';
import type { HostingState } from './state.js';
import type { HostingWorld } from './world.js';

/** Caller of a request. */
export interface HostingCaller {
  /** The caller's account. Undefined for anonymous callers and OAuth applications. */
  readonly account: Account | undefined;
  readonly scheme: 'none' | 'basic' | 'token' | 'application';
  /** Scopes of the token. Undefined if the request has no token. */
  readonly scopes: readonly string[] | undefined;
  /** Application that authenticated with its secret. */
  readonly application: Application | undefined;
  /** Key of the caller's rate limit. */
  readonly key: string;
}

/** Context of a route. */
export interface HostingContext extends FamilyRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: HostingCaller;
  readonly state: HostingState;
  /** Methods that create users, repositories and their content. */
  readonly world: HostingWorld;
  /** Sends an event to a hook, unless the emulator was reset since the request began. */
  readonly send: Deliveries['send'];
  readonly clock: EmulatorClock;
  readonly vendor: string;
  readonly quirks: Quirks;
  /** Base of URLs in responses, such as `http://…/api/v3`. */
  readonly api: string;
  /** Requested version of the API. */
  readonly version: 'v3' | 'beta';
  /** Requested media type. */
  readonly accept: string;
  /** Scopes that the route accepts, for `X-Accepted-OAuth-Scopes`. */
  readonly accepted: Set<string>;
  /** Returns one of the route's path parameters. */
  param(name: string): string;
  /** Reads the body as an object. @throws {HttpError} 400 if it is invalid. */
  body(): Promise<Record<string, unknown>>;
}

/** One route of the hosting API. */
export type HostingRoute = (context: HostingContext) => Reply | Promise<Reply>;
