import { Hook, HookService } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import { basic, type HostingCase, here, place, withStatus } from '../case.js';

const hook = sampleOf(Hook);
const one = { ...here, id: 1 };

export const hooks = withStatus<HostingCase>([
  {
    row: 'GET /repos/:owner/:repo/hooks',
    operation: 'hooks.list',
    call: (c) => c.hooks.list({ ...here, per_page: 50 }).toArray(),
    url: `${place}/hooks?per_page=50`,
    reply: [hook],
  },
  {
    row: 'GET /repos/:owner/:repo/hooks/:id',
    operation: 'hooks.get',
    call: (c) => c.hooks.get(one),
    url: `${place}/hooks/1`,
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
    reply: hook,
  },
  {
    row: 'POST /repos/:owner/:repo/hooks/:id/tests',
    operation: 'hooks.test',
    call: (c) => c.hooks.test(one),
    url: `${place}/hooks/1/tests`,
  },
  {
    row: 'POST /repos/:owner/:repo/hooks/:id/pings',
    operation: 'hooks.ping',
    call: (c) => c.hooks.ping(one),
    url: `${place}/hooks/1/pings`,
  },
  {
    row: 'DELETE /repos/:owner/:repo/hooks/:id',
    operation: 'hooks.delete',
    call: (c) => c.hooks.delete(one),
    url: `${place}/hooks/1`,
  },
  {
    row: 'GET /hooks',
    operation: 'hooks.listServices',
    call: (c) => c.hooks.listServices().toArray(),
    url: '/hooks',
    reply: [sampleOf(HookService)],
  },
]);

const topic = 'https://code.example.com/mona/sandbox/events/push';
const encoded = 'https%3A%2F%2Fcode.example.com%2Fmona%2Fsandbox%2Fevents%2Fpush';

export const hub = withStatus<HostingCase>([
  {
    row: 'POST /hub',
    operation: 'hub.subscribe',
    auth: basic,
    call: (c) =>
      c.hub.subscribe({
        'hub.topic': topic,
        'hub.callback': 'http://hooks.example.com/push?a=1',
        'hub.secret': 'the key & more',
      }),
    url: '/hub',
    form: `hub.mode=subscribe&hub.topic=${encoded}&hub.callback=http%3A%2F%2Fhooks.example.com%2Fpush%3Fa%3D1&hub.secret=the%20key%20%26%20more`,
  },
  {
    // Selects raw JSON with the `Accept` header. The callback is a `service://` URL.
    row: 'POST /hub',
    operation: 'hub.subscribe',
    auth: basic,
    call: (c) =>
      c.hub.subscribe({
        'hub.topic': topic,
        'hub.callback': 'service://irc?server=irc.example.com',
        json: true,
      }),
    url: '/hub',
    accept: 'application/json',
    form: `hub.mode=subscribe&hub.topic=${encoded}&hub.callback=service%3A%2F%2Firc%3Fserver%3Dirc.example.com`,
  },
  {
    // Selects raw JSON with the topic's suffix.
    row: 'POST /hub',
    operation: 'hub.unsubscribe',
    auth: basic,
    call: (c) =>
      c.hub.unsubscribe({
        'hub.topic': `${topic}.json`,
        'hub.callback': 'https://hooks.example.com',
      }),
    url: '/hub',
    form: `hub.mode=unsubscribe&hub.topic=${encoded}.json&hub.callback=https%3A%2F%2Fhooks.example.com`,
  },
  {
    // Only mode and topic are required. Both modes accept the secret.
    row: 'POST /hub',
    operation: 'hub.unsubscribe',
    auth: basic,
    call: (c) => c.hub.unsubscribe({ 'hub.topic': topic, 'hub.secret': 'the key' }),
    url: '/hub',
    form: `hub.mode=unsubscribe&hub.topic=${encoded}&hub.secret=the%20key`,
  },
]);
