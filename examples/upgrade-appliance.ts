// Upgrades an appliance, and shows how far it is: an upload bar and a list of steps on a terminal, a
// line for each change in a log. Exits with 1, and names the step, when the configuration fails.
//
//   TRIFORGE_CONSOLE_URL=https://code.example.com:8443 TRIFORGE_LICENSE=./license.ghl \
//   TRIFORGE_PACKAGE=./release.pkg npx tsx examples/upgrade-appliance.ts
import { isTriforgeError } from 'triforge/console';
import { displayOn } from './appliance-display.js';
import { connect, placeFromEnvironment } from './appliance-place.js';

const place = placeFromEnvironment();
if (place?.package === undefined) {
  throw new Error('set TRIFORGE_CONSOLE_URL, TRIFORGE_LICENSE and TRIFORGE_PACKAGE');
}
const display = displayOn(process.stdout);
// Ctrl-C ends the upload or the wait; a configuration that has begun goes on without us.
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('stopped by Ctrl-C')));
const { signal } = stop;

await using appliance = connect(place, { license: place.license });
try {
  const before = await appliance.settings.get({ signal });
  const { package_version, configuration_run_count } = before.enterprise;
  display.say(`Upgrading from ${package_version ?? 'an unknown version'}`);

  await appliance.upgrade(
    { package: place.package },
    { signal, onProgress: (progress) => display.upload(progress) },
  );
  const run = appliance.waitForConfiguration({
    signal,
    runCount: configuration_run_count ?? undefined,
    interval: place.interval,
  });
  for await (const status of run) display.status(status);

  const after = await appliance.settings.get({ signal });
  display.say(`Upgraded to ${after.enterprise.package_version ?? 'an unknown version'}`);
} catch (error) {
  if (signal.aborted) display.say('Stopped. A configuration that has begun goes on.');
  else if (!isTriforgeError(error)) throw error;
  else if (error.code === 'appliance_configuration') display.say(`Failed at: ${error.step}`);
  else display.say(error.message);
  process.exitCode = 1;
}
