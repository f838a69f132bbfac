import { type ConsoleState, keyInState } from '../console/state.js';
import type { ConsoleData } from './world.js';

/** Exports the state of an appliance, except for a run in progress. */
export function exportConsole(state: ConsoleState): ConsoleData {
  const { licenseMd5, settings, maintenance, standing } = state;
  return {
    licenseMd5,
    settings,
    maintenance: maintenance?.toISOString(),
    standing,
    connections: Object.fromEntries(state.connections),
    keys: state.keys.map(({ key }) => key),
  };
}

/** Imports data into the state of a new appliance. */
export function importConsole(state: ConsoleState, data: ConsoleData): void {
  const { licenseMd5, settings = {}, maintenance, standing, connections = {}, keys = [] } = data;
  const problem = state.findProblem(settings);
  if (problem !== undefined) throw new Error(`console.${problem}`);
  state.licenseMd5 = licenseMd5;
  state.merge(structuredClone(settings));
  state.maintenance = maintenance === undefined ? undefined : new Date(maintenance);
  state.standing = structuredClone(standing);
  for (const [service, number] of Object.entries(connections)) {
    state.connections.set(service, number);
  }
  for (const [index, key] of keys.entries()) {
    const made = keyInState(key);
    if (!made)
      throw new Error(`console.keys[${index}]: must be a public key, such as 'ssh-rsa AAAA… me'`);
    if (state.keys.some((each) => each.key === made.key)) {
      throw new Error(`console.keys[${index}]: must be unique`);
    }
    state.keys.push(made);
  }
}
