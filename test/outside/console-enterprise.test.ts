import { expect, onTestFinished, test } from 'vitest';
import { consoleSeed, createEmulator } from '../../src/testing/index.js';
import { oldEra } from './octokits.js';

// The enterprise plugin for the old octokit client has methods for all eleven console endpoints.

const inPlugin = [...oldEra.routes].filter(([, route]) => route.includes(' /setup/api/'));
const key =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDq3PIRYhH0bVaU8LXq3Eh4ZC1T1lXZp9lBQ9EVxZKvV8j5QF2aQ7M= ops';

test('the octokit enterprise plugin calls all eleven console endpoints', async () => {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { consoleUrl } = await emulator.listen();
  const appliance = emulator.console;
  const octokit = oldEra.open(consoleUrl, {
    username: 'license',
    password: consoleSeed.licenseMd5,
    on2fa: () => '',
  });
  const called = new Set<string>();
  const call = async (name: string, parameters: object = {}) => {
    const method = `enterpriseAdmin.${name}`;
    called.add(oldEra.routes.get(method) ?? `${method} is not a method of the client`);
    return await octokit.call(method, parameters);
  };

  expect((await call('retrieveSettings')).data).toEqual(appliance.settings);
  const settings = JSON.stringify({ enterprise: { pages: { enabled: false } } });
  expect((await call('modifySettings', { settings })).status).toBe(204);
  expect(appliance.settings).toMatchObject({ enterprise: { pages: { enabled: false } } });

  expect((await call('checkMaintenanceStatus')).data).toMatchObject({ status: 'off' });
  const maintenance = JSON.stringify({ enabled: true, when: 'now' });
  const on = await call('enableOrDisableMaintenanceMode', { maintenance });
  expect(on.data).toMatchObject({ status: appliance.maintenance });

  const added = await call('addAuthorizedSshKey', { authorized_key: key });
  expect([added.status, added.data]).toEqual([201, appliance.keys]);
  expect((await call('retrieveAuthorizedSshKeys')).data).toEqual(appliance.keys);
  expect((await call('removeAuthorizedSshKey', { authorized_key: key })).data).toEqual([]);

  expect((await call('startConfigurationProcess')).status).toBe(202);
  expect((await call('checkConfigurationStatus')).data).toMatchObject({ status: 'running' });

  // Uploads the same license, so that the client's credentials stay valid.
  const license = consoleSeed.license.toString();
  expect((await call('upgradeLicense', { license })).status).toBe(202);
  const first = await call('uploadLicenseForFirstTime', { license, package: 'a package' });
  expect(first.status).toBe(202);
  expect(appliance.uploads.map(({ name, size }) => [name, size])).toEqual([
    ['license', license.length],
    ['license', license.length],
    ['package', 9],
  ]);

  expect(called).toEqual(new Set(inPlugin.map(([, route]) => route)));
  expect(called.size).toBe(11);
});
