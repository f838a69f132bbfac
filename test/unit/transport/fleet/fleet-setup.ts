import { FleetLimits, type FleetSettings } from '../../../../src/transport/fleet/fleet-limits.js';
import { house } from '../limits/limiter-setup.js';
import { ScriptedLimits } from './scripted-limits.js';

/** Creates a fleet's limiter and its store. `timeout` is the store's timeout in ms. */
export function fleet(settings: Parameters<typeof house>[0] = {}, timeout = 50) {
  const store = new ScriptedLimits(timeout);
  const events: unknown[] = [];
  const { maxConcurrency = 8 } = settings;
  const made = house({ ...settings, maxConcurrency });
  const sharing: FleetSettings = {
    shared: store,
    capacity: maxConcurrency,
    maxConcurrency,
    scope: 'service',
    now: Date.now,
    publish: (_name, message) => events.push(message()),
  };
  made.limiter.join((budgets, calls) => new FleetLimits(sharing, budgets, calls));
  return { ...made, store, events };
}
