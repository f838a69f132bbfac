// Use a maintenance window on an appliance
//
// Opens the maintenance window, waits until no connections are open (at most 60 checks), and does the work. The
// program closes the window even after an error.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/maintenance-window.ts
import { setTimeout as pause } from 'node:timers/promises';
import { ConsoleClient } from 'triforge/console';

const interval = Number(process.env.INTERVAL ?? 5000);

await using appliance = ConsoleClient.fromEnv();

/** Returns the number of open connections to all services. */
async function openConnections(): Promise<number> {
  const { connection_services } = await appliance.maintenance.get();
  const busy = connection_services.filter(({ number }) => number > 0);
  for (const { name, number } of busy) console.log(`  ${name}: ${number}`);
  return busy.reduce((sum, { number }) => sum + number, 0);
}

const { status } = await appliance.maintenance.set({ enabled: true, when: 'now' });
console.log(`Maintenance: ${status}`);
try {
  for (let round = 0; (await openConnections()) > 0 && round < 60; round++) await pause(interval);
  // Do the work here, such as a backup.
  const { enterprise } = await appliance.settings.get();
  console.log(`No activity: version ${enterprise.package_version} can be backed up`);
} finally {
  const after = await appliance.maintenance.set({ enabled: false });
  console.log(`Maintenance: ${after.status}`);
}
