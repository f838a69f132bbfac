import type { Reply } from '../reply.js';
import type { Routes } from '../router.js';
import type { Rendering } from './render.js';
import type { SupportSettings } from './settings.js';
import type { SupportState } from './state.js';

export interface SupportContext {
  /** Parameters from the query and the form, without the token. */
  readonly values: URLSearchParams;
  readonly state: SupportState;
  readonly settings: SupportSettings;
  readonly rendering: Rendering;
  /** Name of the user of the session. Changed records name this user as their author. */
  readonly user: string;
  /** Returns one of the route's path parameters. */
  param(name: string): string;
}

/** Handler for a support API route. */
export type SupportRoute = (context: SupportContext) => Reply;

export type SupportRoutes = Routes<SupportRoute>;
