import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OAuthWebFlow } from '../../../src/hosting/index.js';
import { ConsoleClient, HostingClient, SupportClient } from '../../../src/index.js';
import { rejectionOf } from '../../support/client.js';

const baseUrl = 'http://127.0.0.1:1/';
const repository = { owner: 'mona', repo: 'sandbox' };
const asset = { name: 'a.zip', content_type: 'application/zip' };
const release = { ...asset, upload_url: `${baseUrl}releases/1/assets` };
const file = { ...repository, path: 'a.md' };

interface Clients {
  readonly hosting: HostingClient;
  readonly support: SupportClient;
  readonly appliance: ConsoleClient;
  readonly flow: OAuthWebFlow;
}

/** Calls a method with values that its types reject. */
function callWith(target: object, name: string, ...args: unknown[]): unknown {
  return Reflect.apply(Reflect.get(target, name), target, args);
}

/** Each case has a rejected call and the start of its error message. */
const cases: [start: string, call: (clients: Clients) => unknown][] = [
  ['pulls.get: options: ', ({ hosting }) => callWith(hosting.pulls, 'get', {}, { tiemout: 1 })],
  [
    'pulls.get: headers.a b: ',
    ({ hosting }) => hosting.pulls.get({ ...repository, number: 1 }, { headers: { 'a b': 'c' } }),
  ],
  [
    'pulls.get: owner: ',
    ({ hosting }) => hosting.pulls.get({ ...repository, owner: '..', number: 1 }),
  ],
  [
    'contents.getRaw: as: ',
    ({ hosting }) => callWith(hosting.contents, 'getRaw', file, { as: 'bytes', to: 'a' }),
  ],
  ['contents.getRaw: to: ', ({ hosting }) => hosting.contents.getRaw(file, { to: '/missing/a' })],
  [
    'releases.uploadAsset: data: ',
    ({ hosting }) => hosting.releases.uploadAsset({ ...release, data: '/missing/a' }),
  ],
  [
    'releases.uploadAsset: size: ',
    ({ hosting }) => hosting.releases.uploadAsset({ ...release, data: Readable.from(['x']) }),
  ],
  [
    "pulls.get: unknown input 'signal'. Known inputs: owner, repo, number. Pass options such as signal in the second",
    ({ hosting }) => callWith(hosting.pulls, 'get', { ...repository, number: 1, signal: null }),
  ],
  [
    "pulls.list: unknown input 'perPage'. Did you mean 'per_page'? Known inputs: ",
    ({ hosting }) => hosting.pulls.list(Object.assign({ perPage: 2 }, repository)).first(),
  ],
  [
    'pulls.get: input: must be an object (got a string). Known inputs: owner, repo, number.',
    ({ hosting }) => callWith(hosting.pulls, 'get', 'mona/sandbox'),
  ],
  [
    "changedSince: options: unknown option 'count'",
    ({ support }) => {
      const options: object = { count: 5 };
      return support.contacts.changedSince(undefined, options).first();
    },
  ],
  ['pulls.list: from: ', ({ hosting }) => hosting.pulls.list(repository, { from: 'a' }).first()],
  ['request: route: ', ({ hosting }) => hosting.request('GET a#b')],
  ['request: route: ', ({ hosting }) => hosting.paginate('GET a#b').first()],
  ['changedSince: date: ', ({ support }) => support.cases.changedSince('today').first()],
  ['start: options: ', ({ appliance }) => callWith(appliance, 'start', {}, { tiemout: 1 })],
  [
    'waitForConfiguration: options: ',
    async ({ appliance }) => callWith(appliance, 'waitForConfiguration', { tiemout: 1 }),
  ],
  [
    'oauth.exchangeCode: redirectUri: ',
    ({ flow }) => flow.exchangeCode({ code: 'c', redirectUri: '/callback' }),
  ],
  ['upgrade: license: ', ({ appliance }) => appliance.upgrade({ license: '/missing/a' })],
  [
    'authorizedKeys.add: authorized_key: ',
    ({ appliance }) => appliance.authorizedKeys.add({ authorized_key: '/missing/a' }),
  ],
];

describe('an invalid input', () => {
  it.each(cases)('causes an error message that starts with "%s"', async (start, call) => {
    const options = { baseUrl, retry: false } as const;
    const hosting = new HostingClient({ ...options, auth: { type: 'token', token: 'hush99' } });
    const support = new SupportClient({ ...options, auth: { accessToken: 'hush99' } });
    const appliance = new ConsoleClient({ ...options, auth: { licenseMd5: '0'.repeat(32) } });
    const application = { clientId: 'c'.repeat(20), clientSecret: 's'.repeat(40) };
    const flow = new OAuthWebFlow({ authUrl: baseUrl, ...application });
    onTestFinished(async () => {
      await Promise.all([hosting.close(), support.close(), appliance.close(), flow.close()]);
    });
    const error = await rejectionOf(Promise.resolve(call({ hosting, support, appliance, flow })));
    expect(error).toMatchObject({ code: 'invalid_request' });
    const message = error instanceof Error ? error.message : '';
    expect(message.slice(0, start.length)).toBe(start);
    expect(message.slice(start.length)).not.toContain(start);
  });
});
