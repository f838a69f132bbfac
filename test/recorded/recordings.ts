import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A recorded request to a real server, with its response. */
export interface Recording {
  /** Name of the operation, as in `hosting-operations.ts`. Null for other endpoints. */
  readonly operation: string | null;
  readonly params: Readonly<Record<string, string>>;
  readonly recordedAt: string;
  readonly session: string;
  /** Position in the session. */
  readonly seq: number;
  /** True if the response body is JSON. Null if there is no body. */
  readonly json: boolean | null;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}

export type RecordingFile = 'hosting-and-console.ndjson' | 'faults.ndjson';

// The recordings are stored next to the repository, so other clones don't have them.
const folder = new URL('../../../shared/recordings/', import.meta.url);

const getPath = (file: RecordingFile) => fileURLToPath(new URL(file, folder));

/** True if the recordings exist. Use with `describe.skipIf(!recordingsAvailable)`. */
export const recordingsAvailable =
  existsSync(getPath('hosting-and-console.ndjson')) && existsSync(getPath('faults.ndjson'));

/** Part of a test's title that shows whether the recordings exist. */
export const recordingsNote = recordingsAvailable
  ? 'recordings in ../shared/recordings'
  : 'skipped: there is no ../shared/recordings';

/** Loads a file's recordings in order. Returns an empty array if the folder doesn't exist. */
export function loadRecordings(file: RecordingFile): Recording[] {
  if (!recordingsAvailable) return [];
  return readFileSync(getPath(file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Recording => JSON.parse(line));
}

/** Returns a recording's title: the operation, the session, and the position in the session. */
export function formatTitle(recording: Recording): string {
  const { operation, recordedAt, session, seq, request, response } = recording;
  const name = session.split('/').slice(-2).join('/').replace('.json', '');
  return `${operation ?? request.method} ${response.status} ${recordedAt.slice(0, 10)} ${name} #${seq}`;
}
