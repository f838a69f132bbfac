// Measures the first response in a new process, like the first invocation of a serverless function.
// `argv[2]` is the client, and `argv[3]` is the server. Prints the import time and the call time,
// in ms.
import { createHmac } from 'node:crypto';

const [, , name = '', origin = ''] = process.argv;
const token = 'x'.repeat(40);
const started = performance.now();
let imported = started;

async function first<Module>(loaded: Promise<Module>): Promise<Module> {
  const module = await loaded;
  imported = performance.now();
  return module;
}

/** A webhook delivery in the format that the server sends. */
const payload = '{"zen":"Keep it logically awesome.","hook_id":1}';
const signed = (hash: string) => createHmac(hash, token).update(payload).digest('hex');

const responses: Readonly<Record<string, () => Promise<unknown>>> = {
  fetch: async () => {
    imported = performance.now();
    const response = await fetch(`${origin}teams/1`, {
      headers: { authorization: `token ${token}` },
    });
    return response.json();
  },
  'triforge/hosting': async () => {
    const { HostingClient } = await first(import('triforge/hosting'));
    const client = new HostingClient({ baseUrl: origin, auth: { type: 'token', token } });
    return client.teams.get({ id: 1 });
  },
  'triforge/support': async () => {
    const { SupportClient } = await first(import('triforge/support'));
    const auth = { userName: 'bench', apiKey: token, password: token };
    const client = new SupportClient({ baseUrl: `${origin}1/`, auth });
    for await (const contact of client.contacts.search({ count: 1 })) return contact;
    return undefined;
  },
  'triforge/console': async () => {
    const { ConsoleClient } = await first(import('triforge/console'));
    const client = new ConsoleClient({ baseUrl: origin, auth: { licenseMd5: '0'.repeat(32) } });
    return client.maintenance.get();
  },
  'triforge/webhooks': async () => {
    const { parseDelivery } = await first(import('triforge/webhooks'));
    const headers = {
      'content-type': 'application/json',
      'x-service-event': 'ping',
      'x-service-delivery': '1',
      'x-hub-signature-256': `sha256=${signed('sha256')}`,
      'x-hub-signature': `sha1=${signed('sha1')}`,
    };
    return parseDelivery({ headers, body: payload, secret: token });
  },
  got: async () => {
    const { got } = await first(import('got'));
    return got(`${origin}teams/1`, { headers: { authorization: `token ${token}` } }).json();
  },
  '@octokit/rest': async () => {
    const { Octokit } = await first(import('@octokit/rest'));
    const { data } = await new Octokit({ auth: token, baseUrl: origin }).request(
      'GET teams/{team_id}',
      { team_id: 1 },
    );
    return data;
  },
  '@octokit/webhooks': async () => {
    const { Webhooks } = await first(import('@octokit/webhooks'));
    return new Webhooks({ secret: token }).verify(payload, `sha256=${signed('sha256')}`);
  },
};

const response = await responses[name]?.();
const responded = performance.now();
if (!response) throw new Error(`${name}: no response`);
console.log(imported - started, responded - imported);
process.exit();
