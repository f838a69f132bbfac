import type { EmulatorClock } from '../clock.js';
import type { RouteRequest } from '../family.js';
import type { Reply } from '../reply.js';
import type { Routes } from '../router.js';
import type { HostingCaller, HourlyLimits } from './callers.js';
import { readBody } from './fields.js';
import type { HookRecord } from './records/hook.js';
import type { HostingWorld } from './world.js';

/** Path below the origin at which the API starts. */
export const apiPrefix = '/api/v3';

/** Settings and services of the emulator at the time when the request began. */
export interface HostingService {
  readonly vendor: string;
  readonly clock: EmulatorClock;
  readonly limits: HourlyLimits;
  /** Sends an event to a hook, unless the emulator was reset since the request began. */
  readonly send: (hook: HookRecord, event: string, payload: object) => void;
  /** Login of the user who is signed in to the web pages. */
  readonly signedIn: string | undefined;
  /** Origin that asset downloads redirect to. Undefined to send the asset directly. */
  readonly assetOrigin: string | undefined;
}

/** A request to a route. */
interface RouteCall extends RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: HostingCaller;
  /** Scopes that the route accepts, for `X-Accepted-OAuth-Scopes`. */
  readonly accepted: Set<string>;
}

/** A request to a route, with its caller and the emulator's state. */
export interface HostingContext extends Readonly<ReturnType<typeof createContext>> {}

/**
 * Creates the context of a route.
 * @param world methods that create users, repositories and their content.
 */
export function createContext(call: RouteCall, world: HostingWorld, service: HostingService) {
  const { request, origin, params } = call;
  const { state } = world;
  return {
    ...call,
    world,
    state,
    service,
    clock: service.clock,
    /** Base URL of links in responses, such as `http://…/api/v3`. */
    api: `${origin}${apiPrefix}`,
    /** Requested media type. */
    accept: (request.headers.get('accept') ?? '').replace(/[,;].*/, '').trim(),
    /** Requested API version. */
    version: requestedVersion(request, service.vendor),
    /** Returns one of the route's path parameters. */
    param: (name: string) => state.param(params, name),
    /** Reads the body as an object. @throws {HttpError} 400 if it is invalid. */
    body: () => readBody(request),
  };
}

/** Returns the API version that `Accept` requests. */
export function requestedVersion({ headers }: Request, vendor: string): 'v3' | 'beta' {
  return headers.get('accept')?.includes(`vnd.${vendor}.beta`) ? 'beta' : 'v3';
}

/** Handler for a hosting API route. */
export type HostingRoute = (context: HostingContext) => Reply | Promise<Reply>;

export type HostingRoutes = Routes<HostingRoute>;
