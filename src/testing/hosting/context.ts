import type { EmulatorClock } from '../clock.js';
import type { RouteRequest } from '../family.js';
import type { Quirks } from '../quirks.js';
import type { Reply } from '../reply.js';
import type { Routes } from '../router.js';
import type { HostingCaller } from './credentials.js';
import type { Deliveries } from './deliveries.js';
import type { HourlyLimits } from './rate-limits.js';
import type { HostingState } from './state.js';
import type { HostingWorld } from './world.js';

export interface HostingContext extends RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  /** The request's caller, who is anonymous until the credentials have been checked. */
  caller: HostingCaller;
  readonly state: HostingState;
  /** Methods that create users, repositories and their content. */
  readonly world: HostingWorld;
  /** Sends an event to a hook, unless the emulator was reset since the request began. */
  readonly send: Deliveries['send'];
  readonly clock: EmulatorClock;
  readonly vendor: string;
  readonly quirks: Quirks;
  readonly limits: HourlyLimits;
  /** Login of the user who is signed in to the web pages. */
  readonly signedIn: string | undefined;
  /** Origin that asset downloads redirect to. Undefined to send the asset directly. */
  readonly assetOrigin: string | undefined;
  /** Base URL of links in responses, such as `http://…/api/v3`. */
  readonly api: string;
  /** Requested API version. */
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

/** Handler for a hosting API route. */
export type HostingRoute = (context: HostingContext) => Reply | Promise<Reply>;

export type HostingRoutes = Routes<HostingRoute>;
