import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { type DataOf, field, type Loose, type RecordOf, record, required } from '../../record.js';
import { hookServices } from '../hook-services.js';
import { dated } from './shared-fields.js';

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
