import type { Quirks } from '../quirks.js';
import type { Reply } from '../reply.js';
import type { Inputs } from './inputs.js';
import type { ReceivedPart } from './multipart.js';
import type { ConsoleState } from './state.js';

export interface ConsoleContext {
  readonly state: ConsoleState;
  readonly quirks: Quirks;
  readonly inputs: Inputs;
  /** URL of the configuration status, sent as `Location` when a run starts. */
  readonly configCheck: string;
  /** Records an upload for assertions. */
  readonly received: (part: ReceivedPart) => void;
}

export interface ConsoleRoute {
  /** Whether the route is accessible without credentials. */
  readonly open?: boolean;
  readonly respond: (context: ConsoleContext) => Reply;
}
