// Opens a maintenance window, waits until nobody works on the appliance any more, and closes the
// window whatever happens in it.
//
//   TRIFORGE_CONSOLE_URL=https://code.example.com:8443 TRIFORGE_LICENSE=./license.ghl \
//   npx tsx examples/maintenance-window.ts
import { setTimeout as pause } from 'node:timers/promises';
import type { ConsoleClient } from 'triforge/console';
import { connect, placeFromEnvironment } from './appliance-place.js';

/** Connections that are still open, over all services. */
async function openConnections(appliance: ConsoleClient): Promise<number> {
  const { connection_services } = await appliance.maintenance.get();
  const busy = connection_services.filter(({ number }) => number > 0);
  for (const { name, number } of busy) console.log(`  ${name}: ${number}`);
  return busy.reduce((sum, { number }) => sum + number, 0);
}

async function whileIdle(
  appliance: ConsoleClient,
  interval: number,
  work: () => Promise<void>,
): Promise<void> {
  const { status } = await appliance.maintenance.set({ enabled: true, when: 'now' });
  console.log(`Maintenance: ${status}`);
  try {
    for (let round = 0; (await openConnections(appliance)) > 0 && round < 60; round++) {
      await pause(interval);
    }
    await work();
  } finally {
    const after = await appliance.maintenance.set({ enabled: false });
    console.log(`Maintenance: ${after.status}`);
  }
}

const place = placeFromEnvironment();
if (place === undefined) throw new Error('set TRIFORGE_CONSOLE_URL and TRIFORGE_LICENSE');
await using appliance = connect(place, { license: place.license });
await whileIdle(appliance, place.interval, async () => {
  const { enterprise } = await appliance.settings.get();
  console.log(
    `Nobody is at work: ${enterprise.package_version ?? 'the appliance'} may be backed up`,
  );
});
