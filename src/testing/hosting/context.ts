import type { EmulatorClock } from '../clock.js';
import type { RouteRequest } from '../family.js';
import type { Quirks } from '../quirks.js';
import type { Reply } from '../reply.js';
import type { Routes } from '../router.js';
import type { HostingCaller, HourlyLimits } from './callers.js';
import type { Deliveries } from './deliveries.js';
import { readBody } from './fields.js';
import type { HostingState } from './state.js';
import type { HostingWorld } from './world.js';

/** Path below the origin at which the API starts. */
export const apiPrefix = '/api/v3';

/** Settings and services of the emulator, which don't depend on the request. */
export interface HostingService {
  readonly vendor: string;
  readonly quirks: Quirks;
  readonly clock: EmulatorClock;
  readonly limits: HourlyLimits;
  /** Sends an event to a hook, unless the emulator was reset since the request began. */
  readonly send: Deliveries['send'];
  /** Login of the user who is signed in to the web pages. */
  readonly signedIn: string | undefined;
  /** Origin that asset downloads redirect to. Undefined to send the asset directly. */
  readonly assetOrigin: string | undefined;
}

/** Who calls a route, and with which path parameters. */
export interface RouteCall {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: HostingCaller;
  /** Scopes that the route accepts, for `X-Accepted-OAuth-Scopes`. */
  readonly accepted: Set<string>;
}

/** A request and what its route works with. */
export class HostingContext implements RouteRequest {
  readonly request: Request;
  readonly origin: string;
  readonly query: URLSearchParams;
  readonly call: RouteCall;
  /** Methods that create users, repositories and their content. */
  readonly world: HostingWorld;
  readonly service: HostingService;

  constructor(
    { request, origin, query }: RouteRequest,
    call: RouteCall,
    world: HostingWorld,
    service: HostingService,
  ) {
    this.request = request;
    this.origin = origin;
    this.query = query;
    this.call = call;
    this.world = world;
    this.service = service;
  }

  get caller(): HostingCaller {
    return this.call.caller;
  }

  get state(): HostingState {
    return this.world.state;
  }

  get clock(): EmulatorClock {
    return this.service.clock;
  }

  /** Base URL of links in responses, such as `http://…/api/v3`. */
  get api(): string {
    return `${this.origin}${apiPrefix}`;
  }

  /** Requested media type. */
  get accept(): string {
    const accept = this.request.headers.get('accept') ?? '';
    return accept.replace(/[,;].*/, '').trim();
  }

  /** Requested API version. */
  get version(): ApiVersion {
    return requestedVersion(this.request, this.service.vendor);
  }

  /** Returns one of the route's path parameters. */
  param(name: string): string {
    return this.state.param(this.call.params, name);
  }

  /** Reads the body as an object. @throws {HttpError} 400 if it is invalid. */
  body(): Promise<Record<string, unknown>> {
    return readBody(this.request);
  }
}

type ApiVersion = 'v3' | 'beta';

/** Returns the API version that `Accept` requests. */
export function requestedVersion({ headers }: Request, vendor: string): ApiVersion {
  return headers.get('accept')?.includes(`vnd.${vendor}.beta`) ? 'beta' : 'v3';
}

/** Handler for a hosting API route. */
export type HostingRoute = (context: HostingContext) => Reply | Promise<Reply>;

export type HostingRoutes = Routes<HostingRoute>;
