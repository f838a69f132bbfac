import type { Emulator, Repo } from '../../src/testing/index.js';

/** Returns the seed's repository acme/rocket. */
export function findRocket(emulator: Emulator): Repo {
  const repo = emulator.hosting.state.repo('acme', 'rocket');
  if (!repo) throw new Error('no rocket');
  return repo;
}
