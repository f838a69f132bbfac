import { describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/index.js';
import { type ConsoleEmulator, consoleSeed, createEmulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';

/** Creates an emulator and a client that sends in-process requests to it. */
function world(options: { readonly seed?: boolean } = {}) {
  const emulator = createEmulator(options);
  const client = new ConsoleClient({
    baseUrl: 'http://appliance.test',
    auth: options.seed === false ? undefined : { license: consoleSeed.license },
    dispatcher: emulator.dispatcher(),
  });
  return { appliance: emulator.console, emulator, client };
}

/**
 * Waits for the configuration run. Returns the statuses, each with the first letters of its steps'
 * statuses.
 */
async function followed(client: ConsoleClient): Promise<string[]> {
  const seen: string[] = [];
  for await (const { status, progress } of client.waitForConfiguration({ interval: 1 })) {
    seen.push(`${status} ${progress.map((step) => step.status[0]).join('')}`);
  }
  return seen;
}

it("the `vendor` option sets the prefix of the console's settings keys", async () => {
  const emulator = createEmulator({ ...noon, vendor: 'github' });
  expect(emulator.console.settings).toMatchObject({
    enterprise: { github_hostname: 'code.example.com', github_ssl: { enabled: false } },
  });
});

it('contentType sets the Content-Type of console responses', async () => {
  const { client, appliance } = world();
  appliance.contentType = 'text/html';
  const { data, response } = await client.settings.get().withResponse();
  expect(response.headers['content-type']).toBe('text/html');
  expect(data.enterprise.package_version).toBe('1.0.0');
});

describe('the console on a TCP port', () => {
  async function listening(set: (appliance: ConsoleEmulator) => void) {
    const emulator = createEmulator(noon);
    onTestFinished(() => emulator.close());
    const { consoleUrl } = await emulator.listen();
    set(emulator.console);
    const client = new ConsoleClient({
      baseUrl: consoleUrl,
      auth: { license: consoleSeed.license },
    });
    onTestFinished(() => client.close());
    return { emulator, client };
  }

  it('the console API on a TCP port completes an upgrade despite refused connections', async () => {
    const { client, emulator } = await listening((appliance) => {
      appliance.staleStatus(1);
      appliance.restartAt('Updating configuration', { refuse: 60, unavailable: 1 });
    });
    await client.upgrade({ package: Buffer.alloc(2_000_000, 'p') });
    expect(await followed(client)).toEqual([
      'running CPPP',
      'running DCPP',
      'running DDCP',
      'running DDDC',
      'success DDDD',
    ]);
    const [upload] = emulator.console.uploads;
    expect(upload).toMatchObject({ name: 'package', size: 2_000_000 });
    const statuses = emulator.requests.map(({ status }) => status);
    expect(statuses, 'a broken connection, and then a 503 page').toEqual(
      expect.arrayContaining([0, 503]),
    );
  });

  it('emulator.close() resolves during a restart of the console', async () => {
    const { client, emulator } = await listening((appliance) => {
      appliance.restartAt('Preparing storage device', { refuse: 60_000 });
    });
    await client.configure({ complete: true });
    await expect(client.configCheck({ retry: false })).rejects.toMatchObject({
      code: 'connection',
    });
    await emulator.close();
  });
});

it("emulator.reset() restores the appliance's status and record counts", async () => {
  const { client, appliance, emulator } = world();
  appliance.failStep('Updating configuration');
  await client.upgrade({ package: Buffer.from('x') });
  await client.maintenance.set({ enabled: true, when: 'now' });
  emulator.reset();
  expect(appliance.uploads).toEqual([]);
  expect(await client.configCheck()).toMatchObject({ status: 'success' });
  expect(appliance.counts()).toEqual({
    uploads: 0,
    'configuration runs': 1,
    'authorized keys': 0,
  });
});
