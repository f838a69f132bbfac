import { basic, type HostingCase } from '../case.js';

const topic = 'https://code.example.com/mona/sandbox/events/push';
const encoded = 'https%3A%2F%2Fcode.example.com%2Fmona%2Fsandbox%2Fevents%2Fpush';

export const hub: readonly HostingCase[] = [
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
    status: 204,
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
    status: 204,
  },
  {
    // Selects raw JSON with the topic's suffix.
    row: 'POST /hub',
    operation: 'hub.unsubscribe',
    auth: basic,
    call: (c) =>
      c.hub.unsubscribe({
        'hub.topic': c.hub.topic({ owner: 'mona', repo: 'sandbox', event: 'push', json: true }),
        'hub.callback': 'https://hooks.example.com',
      }),
    url: '/hub',
    form: `hub.mode=unsubscribe&hub.topic=${encoded}.json&hub.callback=https%3A%2F%2Fhooks.example.com`,
    status: 204,
  },
  {
    // Only mode and topic are required. Both modes accept the secret.
    row: 'POST /hub',
    operation: 'hub.unsubscribe',
    auth: basic,
    call: (c) => c.hub.unsubscribe({ 'hub.topic': topic, 'hub.secret': 'the key' }),
    url: '/hub',
    form: `hub.mode=unsubscribe&hub.topic=${encoded}&hub.secret=the%20key`,
    status: 204,
  },
];
