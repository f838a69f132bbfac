import type { Dispatcher } from 'undici';
// Imports only the Agent, because importing all of undici would replace the global agent that `fetch` uses.
import AgentClass from 'undici/lib/dispatcher/agent.js';
import { DispatcherBase } from '../dispatcher-base.js';
import { checkNames } from '../known-names.js';
import type { Listening } from '../node-server.js';
import { RecordingWriter } from './format.js';
import { forward } from './forward.js';
import { Masks } from './masks.js';
import { captureRequest, RecordingHandler } from './recording-handler.js';

/** Options for {@link createRecorder}. */
export interface RecorderOptions {
  /**
   * Recording folder. Created if it doesn't exist. An existing recording in the folder is replaced.
   */
  readonly to: string;
  /** Dispatcher that sends the requests. Default: a new Agent, which the recorder's `close` closes. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Additional secrets to mask everywhere, of 8 to 65,536 characters each. Default: none. */
  readonly secrets?: readonly string[] | undefined;
}

/** Dispatcher that records requests and responses. Create it with {@link createRecorder}. */
export interface Recorder extends Dispatcher {
  /**
   * Records the requests of any client. Serves HTTP on 127.0.0.1 and forwards requests to `server`.
   * Replaces the server's address in responses with the recorder's address. The recorder's `close`
   * also closes this server.
   * @param server origin, such as `https://code.example.com`.
   * @param port Default: a free port.
   */
  listen(server: string | URL, port?: number): Promise<Listening>;
}

class RecordingDispatcher extends DispatcherBase implements Recorder {
  constructor(options: RecorderOptions) {
    checkNames('createRecorder', options, ['to', 'dispatcher', 'secrets']);
    const base = options.dispatcher ?? new AgentClass();
    const writer = new RecordingWriter(options.to);
    const masks = new Masks(options.secrets);
    const recording = base.compose((dispatch) => (request, handler) => {
      const sent = captureRequest(request);
      return dispatch(sent.options, new RecordingHandler(sent, handler, masks, writer));
    });
    super(recording, options.dispatcher ? undefined : base);
  }

  async listen(server: string | URL, port = 0): Promise<Listening> {
    const { origin } = new URL(server);
    return await this.serve((request, path) => forward(this, origin, request, path), port);
  }
}

/**
 * Creates a dispatcher that forwards requests to a real server and records them for `replay`, with
 * secrets masked. A recording has one line of JSON per request and response, and separate files for
 * large and binary bodies.
 *
 * ```ts
 * const recorder = createRecorder({ to: 'fixtures/' });
 * const hosting = new HostingClient({ baseUrl, auth, dispatcher: recorder });
 * ```
 * @throws {TypeError} if a secret is too short or too long.
 * @throws {Error} if the folder contains `bodies/` but no recording.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  return new RecordingDispatcher(options);
}
