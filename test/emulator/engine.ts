import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

export const auth = basic('ada', 'x');
export const here = '/repos/lab/engine';

/**
 * Creates a repository with a single commit. Ada, whose credentials are `auth`, owns the
 * repository's organization.
 */
export function engine() {
  const emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada', { password: 'x', siteAdmin: true });
  emulator.hosting.addOrg('lab', ['ada']);
  return { emulator, repo: emulator.hosting.addRepo('lab', 'engine') };
}

/** Returns a reference's SHA. */
export function headIn(repo: Repo, name = 'heads/main'): string {
  return repo.refs.get(name)?.sha ?? '';
}

/** Sends a GET to a path below the repository's API URL. */
export function read(emulator: Emulator, path: string, accept = '*/*') {
  return sendRequest(emulator, `GET ${here}${path}`, { auth, headers: { accept } });
}
