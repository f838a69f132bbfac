import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { ConsoleClient } from '../../src/index.js';
import {
  type ConsoleEmulator,
  consoleSeed,
  createEmulator,
  type Emulator,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import {
  callConsole,
  createConsole,
  createFields,
  createForm,
  pack,
  type Sent,
} from './console-emulator.js';

let emulator: Emulator;

const { enterprise, pollStatus, sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

describe('configuration runs', () => {
  test.each<[string, Sent, string[]]>([
    [
      'a configuration run executes all steps if `complete` is 1',
      { body: createFields({ complete: '1' }) },
      ['running CPPP', 'running DCPP'],
    ],
    [
      'a configuration run skips the storage step by default',
      {},
      ['running CPP', 'running DCP', 'running DDC', 'success DDD'],
    ],
    [
      'a configuration run skips the storage step if `complete` is not 1',
      { body: createFields({ complete: 'x' }) },
      ['running CPP'],
    ],
  ])('%s', async (_name, sent, wanted) => {
    await sendRequest('POST /configure', sent);
    expect(await pollStatus(wanted.length)).toEqual(wanted);
  });

  test('GET /configcheck keeps returning the final status of a configuration run', async () => {
    await sendRequest('POST /configure');
    expect((await pollStatus(6)).slice(3)).toEqual(['success DDD', 'success DDD', 'success DDD']);
    expect(enterprise().configuration_run_count).toBe(2);
    const { progress } = (await sendRequest('GET /configcheck')).data;
    expect(progress).toEqual(
      ['Updating configuration', 'Reloading system services', 'Reloading application services'].map(
        (key) => ({ key, status: 'DONE' }),
      ),
    );
  });

  test('a configuration run applies each prepared delay and failure only once', async () => {
    const { console: appliance } = emulator;
    appliance.slowStep('Reloading system services', 3);
    appliance.staleStatus(2);
    await sendRequest('POST /configure');
    const whole = ['success D', 'success D', 'running CPP'];
    const slow = ['running DCP', 'running DCP', 'running DCP', 'running DDC', 'success DDD'];
    expect(await pollStatus(8)).toEqual([...whole, ...slow]);
    appliance.failStep('Reloading system services');
    await sendRequest('POST /configure');
    expect(await pollStatus(4)).toEqual(['running CPP', 'failed DFP', 'failed DFP', 'failed DFP']);
    await sendRequest('POST /configure');
    expect(await pollStatus(4)).toEqual([
      'running CPP',
      'running DCP',
      'running DDC',
      'success DDD',
    ]);
    expect(enterprise().configuration_run_count).toBe(4);
  });

  test('a configuration run ignores a failure prepared for a skipped step', async () => {
    emulator.console.failStep('Preparing storage device');
    await sendRequest('POST /configure');
    expect((await pollStatus(4)).at(-1)).toBe('success DDD');
  });

  test('GET /configcheck responds with 404 before the first configuration run', async () => {
    emulator = createEmulator({ ...noon, seed: false });
    const body = createForm({ license: consoleSeed.license.toString(), package: pack() });
    await sendRequest('POST /start', { auth: null, body });
    expect(await pollStatus(1)).toEqual(['404']);
    expect((await sendRequest('GET /configcheck')).data).toEqual({ message: 'Not Found' });
    emulator.console.staleStatus(1);
    await sendRequest('POST /configure');
    expect(await pollStatus(2)).toEqual(['running CPP', 'running DCP']);
  });

  test('the console API sets package_version to the uploaded version only if the upgrade succeeds', async () => {
    const upgrade = (name: string) =>
      sendRequest('POST /upgrade', { body: createForm({ package: pack(name) }) });
    emulator.console.failStep('Updating configuration');
    expect((await upgrade('release-3.1.4.pkg')).status).toBe(202);
    expect(await pollStatus(2)).toEqual(['running CPPP', 'failed DFPP']);
    await sendRequest('POST /configure');
    await pollStatus(4);
    expect(enterprise().package_version, 'the failed upgrade is discarded').toBe('1.0.0');
    await upgrade('release-3.1.4.pkg');
    await pollStatus(4);
    expect(enterprise().package_version).toBe('1.0.0');
    await pollStatus(1);
    expect(enterprise().package_version).toBe('3.1.4');
    await upgrade('any.pkg');
    await pollStatus(5);
    expect(enterprise().package_version, 'a name without a version raises the minor version').toBe(
      '3.2.0',
    );
    await sendRequest('POST /upgrade');
    expect((await pollStatus(5)).at(-1), 'a run starts even without an upload').toBe(
      'success DDDD',
    );
    expect(enterprise().package_version).toBe('3.2.0');
    for (const [version, next] of [
      ['7', '7.1.0'],
      ['', '.1.0'],
    ]) {
      emulator.restore({
        console: {
          ...emulator.export().console,
          settings: { enterprise: { package_version: version } },
        },
      });
      await upgrade('any.pkg');
      await pollStatus(5);
      expect(enterprise().package_version).toBe(next);
    }
  });
});

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

it("the `vendor` option sets the prefix of the console's setting names", async () => {
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
    });
    const polls = { path: '/configcheck' };
    const body = '<html><body>The appliance is starting</body></html>';
    emulator.fail(polls, { kind: 'refuse', ms: 60 }, { after: 2 });
    emulator.fail(polls, { kind: 'response', status: 503, body }, { after: 2 });
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
