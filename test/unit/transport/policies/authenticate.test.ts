import { describe, expect, it } from 'vitest';
import type { Authorizer, Credentials } from '../../../../src/transport/request/credentials.js';
import { turns } from '../../../support/client.js';
import { AnsweringDispatcher, type Reply, silence } from '../dispatch/answering-dispatcher.js';
import {
  anyJson,
  createJob,
  createToken,
  fixed,
  renewableToken,
  transportOver,
} from '../prepared-calls.js';
import { recordChannel } from '../recorded-events.js';

const fine: Reply = { body: '"fine"' };
const see: Reply = { status: 303, headers: { location: '/api/v3/result' } };

/** Creates an authorizer that replaces its credentials after each 401. */
function renewing(...fresh: Credentials[]): Authorizer {
  let renewals = 0;
  return { ...fixed(renewableToken('old')), renew: async () => fresh[renewals++] };
}

const requests = ({ sent }: AnsweringDispatcher) =>
  sent.map(({ method, url, headers }) => [method, new URL(url).pathname, headers.authorization]);

describe('renewal after a 401', () => {
  it('a renewal repeats the GET after a 303, not the original POST', async () => {
    const dispatcher = new AnsweringDispatcher([see, { status: 401 }, fine]);
    const job = createJob(anyJson, {
      spec: { method: 'POST', retry: 'refused', headers: [['x-own', 'mine']] },
      authorizer: renewing(createToken('new')),
    });
    const { data } = await transportOver(dispatcher).perform(job);
    expect(data).toBe('fine');
    expect(requests(dispatcher)).toEqual([
      ['POST', '/api/v3/thing', 'token old'],
      ['GET', '/api/v3/result', 'token old'],
      ['GET', '/api/v3/result', 'token new'],
    ]);
    expect(dispatcher.sent[2]?.headers).toMatchObject({ 'x-own': 'mine' });
  });

  it('the client repeats a request only once if the new credentials are rejected', async () => {
    const dispatcher = new AnsweringDispatcher(() => ({ status: 401 }));
    const authorizer = renewing(renewableToken('new'), renewableToken('newer'));
    await transportOver(dispatcher)
      .perform(createJob(anyJson, { authorizer }))
      .catch(() => undefined);
    expect(requests(dispatcher).map(([, , token]) => token)).toEqual(['token old', 'token new']);
  });

  it('the client keeps the new credentials while the repeated request waits for a permit', async () => {
    let requested = 0;
    const authorizer: Authorizer = {
      ...renewing(createToken('new')),
      credentials: () => {
        requested++;
        return renewableToken('old');
      },
    };
    const abort = new AbortController();
    const dispatcher = new AnsweringDispatcher((_sent, index) =>
      index === 0 ? { status: 401 } : index === 1 ? silence : fine,
    );
    const transport = transportOver(dispatcher, { maxConcurrency: 1 });
    const running = transport.perform(createJob(anyJson, { authorizer }));
    const inTheWay = transport.perform(createJob(anyJson, { signals: [abort.signal] }));
    await turns(3);
    abort.abort(new Error('enough'));
    await inTheWay.catch(() => undefined);
    expect((await running).data).toBe('fine');
    expect(dispatcher.sent.at(-1)?.headers.authorization).toBe('token new');
    expect(requested).toBe(1);
  });

  it('the client publishes one start event and one end event for a request and its repeat', async () => {
    const [starts, ends] = [
      recordChannel('triforge:request:start'),
      recordChannel('triforge:request:end'),
    ];
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, fine]);
    const authorizer = renewing(createToken('new'));
    await transportOver(dispatcher).perform(createJob(anyJson, { authorizer }));
    expect(starts).toMatchObject([{ attempt: 1 }]);
    expect(ends).toMatchObject([{ attempt: 1, status: 200 }]);
  });
});

describe('permanent credentials', () => {
  it('the client does not renew permanent credentials after a 401', async () => {
    let renewals = 0;
    const authorizer: Authorizer = {
      ...fixed(createToken('fixed')),
      renew: async () => {
        renewals++;
        return createToken('new');
      },
    };
    const dispatcher = new AnsweringDispatcher([{ status: 401 }, fine]);
    await transportOver(dispatcher)
      .perform(createJob(anyJson, { authorizer }))
      .catch(() => undefined);
    expect({ renewals, sent: dispatcher.sent.length }).toEqual({ renewals: 0, sent: 1 });
  });
});
