import * as z from 'zod/mini';
import { hookEvents } from '../../../hosting/models/hook.js';
import * as check from '../../checks.js';
import { type DataOf, field, type Loose, type RecordOf, record, required } from '../../record.js';
import { dated } from './shared-fields.js';

/** A service that hooks can deliver to. */
export interface ServiceDefinition {
  readonly name: string;
  /** Default events of a new hook. */
  readonly events: readonly string[];
  readonly supported: readonly string[];
  /** Type of each setting, by setting name. */
  readonly schema: Readonly<Record<string, 'string' | 'password' | 'boolean'>>;
}

/** Every event except the wildcard `*`. Includes `ping`. */
const allEvents: readonly string[] = [
  ...new Set([...hookEvents.filter((event) => event !== '*'), 'ping']),
];

/** Services that the emulator supports: the generic web service and a few of the real services. */
export const hookServices: readonly ServiceDefinition[] = [
  {
    name: 'email',
    events: ['push'],
    supported: ['public', 'push'],
    schema: { address: 'string', secret: 'password', send_from_author: 'boolean' },
  },
  {
    name: 'irc',
    events: ['push', 'pull_request'],
    supported: ['commit_comment', 'issue_comment', 'issues', 'pull_request', 'push'],
    schema: {
      server: 'string',
      port: 'string',
      room: 'string',
      nick: 'string',
      password: 'password',
      ssl: 'boolean',
    },
  },
  {
    name: 'web',
    events: ['push'],
    supported: allEvents,
    schema: { url: 'string', secret: 'string', content_type: 'string', insecure_ssl: 'string' },
  },
];

/** Returns whether an event is valid in a hub topic. `*` means all events. */
export function isEvent(name: string): boolean {
  return name === '*' || allEvents.includes(name);
}

/** Returns whether responses mask a setting. */
export function isSecretSetting(service: ServiceDefinition, name: string): boolean {
  if (name === 'secret') return true;
  return Object.hasOwn(service.schema, name) && service.schema[name] === 'password';
}

export const hookKind = record({
  /** Numeric ID. */
  id: field(check.id(), ({ id }) => id),
  /** Name of the service. `web` is the generic service. */
  name: field(z.enum(hookServices.map(({ name }) => name)), 'web'),
  /** Events that the hook subscribes to. */
  events: field(check.texts(), () => ['push']),
  /** Whether the hook receives deliveries. */
  active: field(check.flag(), true),
  /** Settings of the hook. */
  config: required(check.dictionary(check.text())),
  /** Response to the last delivery: HTTP status, summary of the status, and the receiver's message. */
  lastResponse: field(
    z.strictObject({
      code: z.nullable(z.int()),
      status: check.text(),
      message: check.nullText(),
    }),
    () => ({ code: null, status: 'unused', message: null }),
  ),
  ...dated,
});

/** A repository hook. */
export interface HookRecord extends RecordOf<typeof hookKind> {}

/** A hook in a world file. */
export interface HookData extends DataOf<typeof hookKind> {}

/** Properties of a new hook. */
export type HookInput = Loose<Pick<HookRecord, 'name' | 'events' | 'active'>>;
