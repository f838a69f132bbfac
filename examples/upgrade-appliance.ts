// Upgrade and reconfigure an appliance, with progress
//
// Uploads a package, follows the configuration run step by step, then changes a setting and applies it.
// The program waits while the appliance restarts. If a step fails, the program prints the step's name
// and exits with code 1. For an appliance with a self-signed certificate, pass `tls: { ca }` to the client. See
// [Appliances](../docs/appliance.md).
//
//     npm install cli-progress @types/cli-progress
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/upgrade-appliance.ts release-2.pkg
import { SingleBar } from 'cli-progress';
import { ConsoleClient, isTriforgeError } from 'triforge/console';

const interval = Number(process.env.INTERVAL ?? 5000);
const [path = 'release.pkg'] = process.argv.slice(2);
// Ctrl-C ends the upload or the wait. A configuration run that has started continues.
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('stopped by Ctrl-C')));
const { signal } = stop;

await using appliance = ConsoleClient.fromEnv();

/** Follows a run to its end. */
async function followRun(): Promise<void> {
  const said = new Set<string>();
  const say = (line: string) => {
    if (!said.has(line)) console.log(line);
    said.add(line);
  };
  for await (const run of appliance.waitForConfiguration({ signal, interval })) {
    for (const { key, status } of run.progress ?? []) {
      if (status !== 'PENDING') say(`${status}: ${key}`);
    }
    say(`configuration: ${run.status}`);
  }
}

const counted = async () => (await appliance.settings.get({ signal })).enterprise;
try {
  const before = await counted();
  const bar = new SingleBar({ format: 'Upload {bar} {percentage} %', noTTYOutput: true });
  const onProgress = ({ sent, total = sent }: { sent: number; total?: number | undefined }) => {
    if (bar.isActive) bar.update(sent);
    else bar.start(total, sent);
  };
  await appliance.upgrade({ package: path }, { signal, onProgress }).finally(() => bar.stop());
  await followRun();

  const upgraded = await counted();
  console.log(`Upgraded from ${before.package_version} to ${upgraded.package_version}`);
  await appliance.settings.update({ enterprise: { private_mode: true } }, { signal });
  await appliance.configure({}, { signal });
  await followRun();
  console.log('Reconfigured');
} catch (error) {
  if (!isTriforgeError(error)) throw error;
  const failed = error.code === 'appliance_configuration';
  console.error(failed ? `Failed at: ${error.step}` : error.message);
  process.exitCode = 1;
}
