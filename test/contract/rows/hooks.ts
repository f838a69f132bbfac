import { Hook, HookService } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { type HostingCase, here, place } from '../case.js';

const hook = sampleOf(Hook);
const one = { ...here, id: 1 };

export const hooks: readonly HostingCase[] = [
  {
    row: 'GET /repos/:owner/:repo/hooks',
    operation: 'hooks.list',
    call: (c) => c.hooks.list({ ...here, per_page: 50 }).toArray(),
    url: `${place}/hooks?per_page=50`,
    status: 200,
    reply: [hook],
  },
  {
    row: 'GET /repos/:owner/:repo/hooks/:id',
    operation: 'hooks.get',
    call: (c) => c.hooks.get(one),
    url: `${place}/hooks/1`,
    status: 200,
    reply: hook,
  },
  {
    row: 'POST /repos/:owner/:repo/hooks',
    operation: 'hooks.create',
    call: (c) =>
      c.hooks.create({
        ...here,
        name: 'web',
        config: {
          url: 'https://hooks.example.com',
          content_type: 'json',
          secret: 'the key',
          insecure_ssl: true,
        },
        events: ['push', 'release'],
        active: false,
      }),
    url: `${place}/hooks`,
    body: {
      name: 'web',
      config: {
        url: 'https://hooks.example.com',
        content_type: 'json',
        secret: 'the key',
        insecure_ssl: '1',
      },
      events: ['push', 'release'],
      active: false,
    },
    status: 201,
    location: 'https://code.example.com/api/v3/repos/mona/sandbox/hooks/1',
    reply: hook,
  },
  {
    // If the service already has a hook, the server updates that hook.
    row: 'POST /repos/:owner/:repo/hooks',
    operation: 'hooks.create',
    call: (c) =>
      c.hooks.create({
        ...here,
        name: 'irc',
        config: { server: 'irc.example.com', port: 6667, ssl: false, room: undefined },
      }),
    url: `${place}/hooks`,
    body: { name: 'irc', config: { server: 'irc.example.com', port: 6667, ssl: '0' } },
    status: 200,
    reply: hook,
  },
  {
    row: 'PATCH /repos/:owner/:repo/hooks/:id',
    operation: 'hooks.update',
    call: (c) =>
      c.hooks.update({
        ...one,
        config: { url: 'https://hooks.example.com', insecure_ssl: false },
        events: ['*'],
        add_events: ['watch'],
        remove_events: ['fork'],
        active: true,
      }),
    url: `${place}/hooks/1`,
    body: {
      config: { url: 'https://hooks.example.com', insecure_ssl: '0' },
      events: ['*'],
      add_events: ['watch'],
      remove_events: ['fork'],
      active: true,
    },
    status: 200,
    reply: hook,
  },
  {
    row: 'PATCH /repos/:owner/:repo/hooks/:id',
    operation: 'hooks.update',
    call: (c) => c.hooks.update({ ...one, active: false }),
    url: `${place}/hooks/1`,
    body: { active: false },
    status: 200,
    reply: hook,
  },
  {
    row: 'POST /repos/:owner/:repo/hooks/:id/tests',
    operation: 'hooks.test',
    call: (c) => c.hooks.test(one),
    url: `${place}/hooks/1/tests`,
    status: 204,
  },
  {
    row: 'POST /repos/:owner/:repo/hooks/:id/pings',
    operation: 'hooks.ping',
    call: (c) => c.hooks.ping(one),
    url: `${place}/hooks/1/pings`,
    status: 204,
  },
  {
    row: 'DELETE /repos/:owner/:repo/hooks/:id',
    operation: 'hooks.delete',
    call: (c) => c.hooks.delete(one),
    url: `${place}/hooks/1`,
    status: 204,
  },
  {
    row: 'GET /hooks',
    operation: 'hooks.listServices',
    call: (c) => c.hooks.listServices().toArray(),
    url: '/hooks',
    status: 200,
    reply: [sampleOf(HookService)],
  },
];
