import type { EmulatorClock } from '../clock.js';
import type { Deviations } from '../deviations.js';
import type { FamilyRequest } from '../family.js';
import type { Reply } from '../reply.js';
import type { Account, Application } from './accounts.js';
import type { Deliveries } from './deliveries.js';
import type { HostingState } from './state.js';
import type { HostingWorld } from './world.js';

/** Who asks. */
export interface HostingCaller {
  /** Undefined for anonymous callers and OAuth applications. */
  readonly account: Account | undefined;
  readonly scheme: 'none' | 'basic' | 'token' | 'application';
  /** Scopes of the token; undefined where no token was used. */
  readonly scopes: readonly string[] | undefined;
  /** The application that showed its secret. */
  readonly application: Application | undefined;
  /** Key of the rate limit. */
  readonly key: string;
}

/** What a route works with. */
export interface HostingContext extends FamilyRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly caller: HostingCaller;
  readonly state: HostingState;
  /** Makes users, repositories and what they hold. */
  readonly world: HostingWorld;
  /** Sends an event to a hook, unless the emulator was reset since the request began. */
  readonly send: Deliveries['send'];
  readonly clock: EmulatorClock;
  readonly vendor: string;
  readonly deviations: Deviations;
  /** Base of URLs in answers: `http://…/api/v3`. */
  readonly api: string;
  /** Version of the API that was asked for. */
  readonly version: 'v3' | 'beta';
  /** Media type asked for. */
  readonly accept: string;
  /** Scopes that the action checks for: what `X-Accepted-OAuth-Scopes` shows. */
  readonly accepted: Set<string>;
  /** A path parameter that the route names. */
  param(name: string): string;
  /** The JSON body, as an object. @throws {Refused} 400 */
  body(): Promise<Record<string, unknown>>;
}

/** One route of the hosting API. */
export type HostingRoute = (context: HostingContext) => Reply | Promise<Reply>;
