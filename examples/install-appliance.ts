// Install a bare appliance
//
// Uploads the license, the package and initial settings, then follows a complete configuration run. You need no
// credentials, because the client authenticates with the new license after `start`.
//
//     npx tsx node_modules/triforge/examples/install-appliance.ts https://code.example.com:8443 license.ghl release.pkg
import { ConsoleClient } from 'triforge/console';

const [baseUrl = '', license = 'license.ghl', path = 'release.pkg'] = process.argv.slice(2);
const interval = Number(process.env.INTERVAL ?? 5000);

await using appliance = new ConsoleClient({ baseUrl });

const settings = { enterprise: { private_mode: true } };
await appliance.start({ license, package: path, settings });
await appliance.configure({ complete: true });
for await (const { status, progress } of appliance.waitForConfiguration({ interval })) {
  const steps = (progress ?? []).map((step) => `${step.key}: ${step.status}`);
  console.log([status, ...steps].join('\n  '));
}
console.log('Installed');
