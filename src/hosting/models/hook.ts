import * as z from 'zod/mini';
import { fields, model, nullish, openEnum, ref } from '../../schema/model.js';

/**
 * Settings of a hook. The declared fields belong to the generic `web` service. Other services have
 * their own settings, of any type. Most servers mask secrets as `********` in responses.
 */
export interface HookConfig {
  /** URL that receives the deliveries. */
  url?: string | null | undefined;
  /** Encoding of deliveries. If this field is absent, the encoding is `form`. */
  content_type?: 'json' | 'form' | (string & {}) | null | undefined;
  /**
   * Secret for signing deliveries. Most servers mask it. Absent or empty if the hook has no secret.
   */
  secret?: string | null | undefined;
  /**
   * Whether certificate verification is skipped (`1`) or not (`0`). If this field is absent, the
   * server verifies certificates. Some servers send a number.
   */
  insecure_ssl?: string | number | null | undefined;
  /** Settings of other services. */
  [setting: string]: unknown;
}

/** Repository webhook or service hook. */
export interface Hook {
  /** API URL of the hook. */
  url: string;
  /** Numeric ID. */
  id: number;
  /** Name of the service. `web` is the generic webhook service. */
  name: string;
  /** Events that trigger the hook. `*` means all events. */
  events: string[];
  /** Whether the server sends deliveries. */
  active: boolean;
  /** Settings of the hook. */
  config: HookConfig;
  /** Creation time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

/**
 * Service that hooks can deliver to. The API doesn't specify the service's fields, so the client
 * accepts any JSON.
 */
export interface HookService {
  /** Name to pass to `hooks.create`. */
  name?: string | null | undefined;
  /** Events that a new hook subscribes to by default. */
  events?: string[] | null | undefined;
  /** Events that a hook can subscribe to. */
  supported_events?: string[] | null | undefined;
  /**
   * Settings that `config` accepts, each as a type (`string`, `password` or `boolean`) and a name.
   */
  schema?: [type: string, name: string][] | null | undefined;
  /** Other attributes. */
  [attribute: string]: unknown;
}

export const HookConfig = model<HookConfig>('open')('HookConfig', () => ({
  ...fields(nullish(z.string), 'url secret'),
  content_type: z.nullish(openEnum('json', 'form')),
  insecure_ssl: z.nullish(z.union([z.string(), z.number()])),
}));

export const Hook = model<Hook>()('Hook', () => ({
  ...fields(z.string, 'url name created_at updated_at'),
  id: z.int(),
  events: z.array(z.string()),
  active: z.boolean(),
  config: ref(HookConfig),
}));

export const HookService = model<HookService>('open')('HookService', () => ({
  name: z.nullish(z.string()),
  ...fields(() => z.nullish(z.array(z.string())), 'events supported_events'),
  schema: z.nullish(z.array(z.tuple([z.string(), z.string()]))),
}));

/**
 * Events that a hook can subscribe to. `*` subscribes to all events, including future events.
 * `ping` is delivered to every hook, even if the hook isn't subscribed to the event.
 */
export const hookEvents = [
  '*',
  'commit_comment',
  'create',
  'delete',
  'deployment',
  'deployment_status',
  'fork',
  'gollum',
  'issue_comment',
  'issues',
  'member',
  'page_build',
  'ping',
  'public',
  'pull_request_review_comment',
  'pull_request',
  'push',
  'release',
  'status',
  'team_add',
  'watch',
] as const;

/**
 * Event that a hook can subscribe to. `*` subscribes to all events, including future events. Events
 * that only a newer server knows need a cast: `'workflow_run' as HookEvent`.
 */
export type HookEvent = (typeof hookEvents)[number];
