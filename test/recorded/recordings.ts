import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One recorded exchange with a real server. */
export interface Recording {
  /** Name of the operation, as `hosting-operations.ts` lists them; null for any other endpoint. */
  readonly operation: string | null;
  /** The contract's path with its parameters, `/repos/:owner/:repo/…`; null as above. */
  readonly template: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly recordedAt: string;
  /** Recordings of one session belong together, in the order of `seq`. */
  readonly session: string;
  readonly seq: number;
  /** Whether the answer's body is JSON; null where it has none. */
  readonly json: boolean | null;
  /** Faults only: what kind. */
  readonly fault?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    /** In place of `body`, where it is not text. */
    readonly bodyBase64?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export type RecordingFile = 'hosting-and-console.ndjson' | 'faults.ndjson';

// They lie beside the repository, not in it: a clone elsewhere does without.
const folder = new URL('../../../shared/recordings/', import.meta.url);

const pathOf = (file: RecordingFile) => fileURLToPath(new URL(file, folder));

/** Whether the recordings are there. Tests that need them: `describe.skipIf(!recordingsAvailable)`. */
export const recordingsAvailable =
  existsSync(pathOf('hosting-and-console.ndjson')) && existsSync(pathOf('faults.ndjson'));

/** To put into a title, so that a skipped test says why. */
export const recordingsNote = recordingsAvailable
  ? 'recordings in ../shared/recordings'
  : 'skipped: there is no ../shared/recordings';

/** Every recording of a file, in its order; none where the folder is absent. */
export function loadRecordings(file: RecordingFile): Recording[] {
  if (!recordingsAvailable) return [];
  return readFileSync(pathOf(file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Recording => JSON.parse(line));
}

/** Names a recording in a test's title: operation, when, and where in its session. */
export function titleOf(recording: Recording): string {
  const { operation, recordedAt, session, seq, request, response } = recording;
  const name = session.split('/').slice(-2).join('/').replace('.json', '');
  return `${operation ?? request.method} ${response.status} ${recordedAt.slice(0, 10)} ${name} #${seq}`;
}
