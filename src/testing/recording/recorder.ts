import type { Dispatcher } from 'undici';
// The Agent alone: all of undici would replace the one that the global `fetch` uses.
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { Front } from '../front.js';
import { checkNames } from '../known-names.js';
import { type Listening, listen } from '../node-server.js';
import { RecordingWriter } from './format.js';
import { forward } from './forward.js';
import { Masks } from './masks.js';
import { sentOf, Tap } from './tap.js';

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  /** Folder of the recording: made where there is none; a recording that it holds is replaced. */
  readonly to: string;
  /** What requests go out by. Default an Agent of its own, which the recorder's `close` closes. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Further secrets: they are masked wherever they stand as a whole. At least 8 characters each. Default none. */
  readonly secrets?: readonly string[] | undefined;
}

/** A dispatcher that records what goes through it: see {@link createRecorder}. */
export interface Recorder extends Dispatcher {
  /**
   * Records for any client: serves HTTP on 127.0.0.1, and asks `server` what it is asked. Where answers
   * name the server's address, they name this one instead.
   * @param server as `https://code.example.com`.
   * @param port default a free one.
   */
  listen(server: string | URL, port?: number): Promise<Listening>;
}

class RecordingDispatcher extends Front implements Recorder {
  constructor(options: RecorderOptions) {
    checkNames('createRecorder', options, ['to', 'dispatcher', 'secrets']);
    const base = options.dispatcher ?? new AgentClass();
    const writer = new RecordingWriter(options.to);
    const masks = new Masks(options.secrets);
    const recording = base.compose((dispatch) => (request, handler) => {
      const sent = sentOf(request);
      return dispatch(sent.options, new Tap(sent, handler, masks, writer));
    });
    super(recording, options.dispatcher ? undefined : base);
  }

  async listen(server: string | URL, port = 0): Promise<Listening> {
    const { origin } = new URL(server);
    return await listen((request, path) => forward(this, origin, request, path), port);
  }
}

/**
 * Makes a dispatcher that stands in front of a real server and records what goes through it, for
 * `replay`: requests and answers as lines of JSON, large and binary bodies in files beside them, secrets
 * masked.
 *
 * ```ts
 * const recorder = createRecorder({ to: 'fixtures/' });
 * const hosting = new HostingClient({ baseUrl, auth, dispatcher: recorder });
 * ```
 */
export function createRecorder(options: RecorderOptions): Recorder {
  return new RecordingDispatcher(options);
}
