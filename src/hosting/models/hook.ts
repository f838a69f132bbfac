import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, openEnum, ref } from '../../schema/model.js';

/**
 * Settings of a hook. The named ones are those of the generic web service; other services have
 * their own, of any shape. The server masks secrets (`********`) in what it answers.
 */
export interface HookConfig {
  /** Where deliveries go. */
  url?: string | null | undefined;
  /** How deliveries are encoded; absent is `form`. */
  content_type?: 'json' | 'form' | (string & {}) | null | undefined;
  /** Key of the deliveries' signature, masked by most servers; absent without one. */
  secret?: string | null | undefined;
  /** `0` verifies the certificate, `1` does not; absent is `0`. Some servers send it as a number. */
  insecure_ssl?: string | number | null | undefined;
  /** Settings of other services. */
  [setting: string]: unknown;
}

/** A webhook or service hook of a repository. */
export interface Hook {
  /** API URL of the hook. */
  url: string;
  /** Numeric id. */
  id: number;
  /** Name of the service: `web` for the generic one. */
  name: string;
  /** Events that trigger it, `*` for all. */
  events: string[];
  /** Whether deliveries are sent. */
  active: boolean;
  /** Settings. */
  config: HookConfig;
  /** When it was made, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** When it last changed, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

/** A service that hooks can deliver to. The interface doesn't specify its fields: any JSON is accepted. */
export interface HookService {
  /** Name, as `hooks.create` takes it. */
  name?: string | null | undefined;
  /** Events that a new hook listens to. */
  events?: string[] | null | undefined;
  /** Events that a hook can listen to. */
  supported_events?: string[] | null | undefined;
  /** Settings that `config` takes, each with its type (`string`, `password`, `boolean`). */
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
