// Installs a bare appliance: license, package and first settings, then a complete configuration run.
//
//   TRIFORGE_CONSOLE_URL=https://code.example.com:8443 TRIFORGE_LICENSE=./license.ghl \
//   TRIFORGE_PACKAGE=./release.pkg npx tsx examples/install-appliance.ts
import { isTriforgeError } from 'triforge/console';
import { displayOn } from './appliance-display.js';
import { connect, placeFromEnvironment } from './appliance-place.js';

const place = placeFromEnvironment();
if (place?.package === undefined) {
  throw new Error('set TRIFORGE_CONSOLE_URL, TRIFORGE_LICENSE and TRIFORGE_PACKAGE');
}
const display = displayOn(process.stdout);

// No credentials: start brings the license, and the client signs with its hash from then on.
await using appliance = connect(place);
try {
  const settings = { enterprise: { private_mode: true } };
  const input = { license: place.license, package: place.package, settings };
  await appliance.start(input, { onProgress: (progress) => display.upload(progress) });
  display.say('License and package are there. Configuring');

  await appliance.configure({ complete: true });
  const { interval } = place;
  for await (const status of appliance.waitForConfiguration({ interval })) display.status(status);
  display.say('Installed');
} catch (error) {
  if (!isTriforgeError(error)) throw error;
  display.say(
    error.code === 'appliance_configuration' ? `Failed at: ${error.step}` : error.message,
  );
  process.exitCode = 1;
}
