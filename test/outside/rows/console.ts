import { consoleSeed } from '../../../src/testing/index.js';
import type { Row } from '../row.js';

const key =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDq3PIRYhH0bVaU8LXq3Eh4ZC1T1lXZp9lBQ9EVxZKvV8j5QF2aQ7M= ops';
const license = consoleSeed.license.toString();

const rows: readonly Row[] = [
  {
    row: 'POST /setup/api/start',
    methods: ['enterpriseAdmin.uploadLicenseForFirstTime'],
    parameters: { license, package: 'a package' },
    status: 202,
    after: ({ emulator }) => ({
      'the license was uploaded': emulator.console.uploads[0]?.name === 'license',
    }),
  },
  {
    row: 'POST /setup/api/upgrade',
    methods: ['enterpriseAdmin.upgradeLicense'],
    parameters: { license },
    status: 202,
    after: ({ emulator }) => ({
      'the license was uploaded': emulator.console.uploads[0]?.name === 'license',
    }),
  },
  {
    row: 'GET /setup/api/configcheck',
    methods: ['enterpriseAdmin.checkConfigurationStatus'],
    parameters: {},
    status: 200,
    data: () => ({
      status: 'success',
      progress: [{ key: 'Updating configuration', status: 'DONE' }],
    }),
  },
  {
    row: 'POST /setup/api/configure',
    methods: ['enterpriseAdmin.startConfigurationProcess'],
    parameters: {},
    status: 202,
  },
  {
    row: 'GET /setup/api/settings',
    methods: ['enterpriseAdmin.retrieveSettings'],
    parameters: {},
    status: 200,
    data: ({ emulator }) => emulator.console.settings,
  },
  {
    row: 'PUT /setup/api/settings',
    methods: ['enterpriseAdmin.modifySettings'],
    parameters: { settings: JSON.stringify({ enterprise: { private_mode: true } }) },
    status: 204,
    after: ({ emulator }) => ({
      'private mode is on': JSON.stringify(emulator.console.settings).includes(
        '"private_mode":true',
      ),
    }),
  },
  {
    row: 'GET /setup/api/maintenance',
    methods: ['enterpriseAdmin.checkMaintenanceStatus'],
    parameters: {},
    status: 200,
    data: () => ({
      status: 'off',
      connection_services: [{ name: 'git operations', number: 0 }, {}, {}],
    }),
  },
  {
    row: 'POST /setup/api/maintenance',
    methods: ['enterpriseAdmin.enableOrDisableMaintenanceMode'],
    parameters: { maintenance: JSON.stringify({ enabled: true, when: 'now' }) },
    status: 200,
    data: () => ({ status: 'on' }),
    after: ({ emulator }) => ({ 'maintenance mode is on': emulator.console.maintenance === 'on' }),
  },
  {
    row: 'GET /setup/api/settings/authorized-keys',
    methods: ['enterpriseAdmin.retrieveAuthorizedSshKeys'],
    parameters: {},
    status: 200,
    data: ({ emulator }) => emulator.console.keys,
  },
  {
    row: 'POST /setup/api/settings/authorized-keys',
    methods: ['enterpriseAdmin.addAuthorizedSshKey'],
    parameters: { authorized_key: key },
    status: 201,
    data: ({ emulator }) => emulator.console.keys,
    after: ({ emulator }) => ({ 'the key is stored': emulator.console.keys[0]?.key === key }),
  },
  {
    row: 'DELETE /setup/api/settings/authorized-keys',
    methods: ['enterpriseAdmin.removeAuthorizedSshKey'],
    parameters: { authorized_key: key },
    status: 200,
    data: () => [],
  },
];

/** Requests to an appliance. Of the octokit clients, only the enterprise plugin has methods for them. */
export const consoleRows: readonly Row[] = rows.map((row) => ({ ...row, as: 'license' }));
