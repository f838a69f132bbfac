import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { LimitStore } from '../../../src/transport/limits/shared-limits.js';
import type { Authorizer, Credentials } from '../../../src/transport/request/credentials.js';
import { rejectionOf, turns, until } from '../../support/client.js';
import { AnsweringDispatcher, type Reply, silence } from './dispatch/answering-dispatcher.js';
import {
  anyJson,
  createJob,
  createToken,
  fixed,
  renewableToken,
  soon,
  transportOver,
} from './prepared-calls.js';

const fine: Reply = { body: '"fine"' };

describe('credentials after a wait for a slot', () => {
  it.each([
    ['a call that waited for a slot reuses credentials less than a second old', 999, 1],
    ['a call that waited for a slot replaces credentials that are a second old', 1000, 2],
  ])('%s', async (_name, wait, times) => {
    let time = Date.UTC(2024, 0, 1);
    const abort = new AbortController();
    const dispatcher = new AnsweringDispatcher((_sent, index) => (index === 0 ? silence : fine));
    const transport = transportOver(dispatcher, { maxConcurrency: 1 }, { clock: () => time });
    const inTheWay = rejectionOf(
      transport.perform(createJob(anyJson, { signals: [abort.signal] })),
    );
    let asked = 0;
    const authorizer: Authorizer = {
      credentialParameters: new Set(),
      credentials: async () => {
        asked++;
        return createToken(`number ${asked}`);
      },
    };
    const running = transport.perform(createJob(anyJson, { authorizer }));
    await turns(2);
    time += wait;
    abort.abort(new Error('enough'));
    await inTheWay;
    expect((await running).data).toBe('fine');
    expect(dispatcher.sent[1]?.headers.authorization).toBe(`token number ${times}`);
    expect(asked).toBe(times);
  });
});

describe('credential renewal', () => {
  /** Creates credentials that the server rejects. The test provides their replacement. */
  function renewed() {
    let give = (_fresh: Credentials): void => undefined;
    const coming = new Promise<Credentials>((resolve) => {
      give = resolve;
    });
    const authorizer: Authorizer = { ...fixed(renewableToken('old')), renew: () => coming };
    return { authorizer, give: () => give(createToken('new')) };
  }

  it("a credential renewal frees the call's slot", async () => {
    const abort = new AbortController();
    const dispatcher = new AnsweringDispatcher((_sent, index) =>
      index === 0 ? { status: 401 } : index === 1 ? silence : fine,
    );
    const transport = transportOver(dispatcher, { maxConcurrency: 1 });
    const { authorizer, give } = renewed();
    const running = transport.perform(createJob(anyJson, { authorizer }));
    await turns(2);
    const other = rejectionOf(transport.perform(createJob(anyJson, { signals: [abort.signal] })));
    await turns(2);
    expect(dispatcher.sent, 'the other call uses the slot').toHaveLength(2);
    give();
    await turns(2);
    expect(dispatcher.sent, 'the repeated request has no slot yet').toHaveLength(2);
    abort.abort(new Error('enough'));
    await other;
    const ended = await soon(running);
    expect(ended).toMatchObject({ data: 'fine' });
    expect(dispatcher.sent[2]?.headers.authorization).toBe('token new');
  });

  it('the client masks the new credentials in the error of a repeated request', async () => {
    const fresh = 'renewed-secret-0123456789';
    const etag = (value: string) => ({ headers: { etag: value } });
    const echo = JSON.stringify({ message: `${fresh} failed` });
    const replies: Reply[] = [
      { ...fine, ...etag('"a"') },
      { status: 401 },
      { status: 304, ...etag('"b"') },
      { status: 500, body: echo, headers: { 'content-type': 'application/json' } },
    ];
    const dispatcher = new AnsweringDispatcher(replies);
    const transport = transportOver(dispatcher, { cache: true });
    // These credentials belong to the same user, so the cached response stays valid.
    const { fingerprint } = createToken('old');
    const renew = async () => ({ ...createToken(fresh), fingerprint });
    const authorizer: Authorizer = { ...fixed(renewableToken('old')), renew };
    const job = () => createJob(anyJson, { authorizer, retry: { limit: 0 } });
    await transport.perform(job());
    const error = await rejectionOf(transport.perform(job()));
    expect(dispatcher.sent).toHaveLength(4);
    expect(String(error)).toContain('*** failed');
    expect(inspect(error)).not.toContain(fresh);
  });

  it.each([
    ["throws a RateLimitError if the new credentials' quota is used up", 'new', 2],
    ["repeats the call if only the old credentials' quota is used up", 'old', 3],
  ])('the client %s', async (_name, exhausted, sent) => {
    const now = Math.ceil(Date.now() / 1000) * 1000;
    const last: Reply = {
      ...fine,
      headers: {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${now / 1000 + 600}`,
      },
    };
    const dispatcher = new AnsweringDispatcher((_sent, index) =>
      index === 0 ? { status: 401 } : index === 1 ? last : fine,
    );
    const transport = transportOver(dispatcher);
    const { authorizer, give } = renewed();
    const ending = transport.perform(createJob(anyJson, { authorizer })).catch((error) => error);
    await turns(2);
    await transport.perform(createJob(anyJson, { authorizer: fixed(createToken(exhausted)) }));
    give();
    const rejected = { name: 'RateLimitError', reason: 'primary' };
    expect(await soon(ending)).toMatchObject(sent === 2 ? rejected : { data: 'fine' });
    expect(dispatcher.sent).toHaveLength(sent);
  });
});

describe('shared limits', () => {
  it('a client derives the name of its shared limits from the base URL and the credentials', async () => {
    const names: string[] = [];
    const shared: LimitStore = {
      exchangeLimits: async (credential, _bucket, facts) => {
        names.push(credential);
        return facts;
      },
    };
    const nameOf = async (baseUrl: string) => {
      names.length = 0;
      const dispatcher = new AnsweringDispatcher([fine]);
      const transport = transportOver(dispatcher, { baseUrl, rateLimit: { shared } });
      await transport.perform(createJob(anyJson));
      await until('the limits are shared', () => names.length > 0);
      await transport.close();
      expect(new Set(names).size).toBe(1);
      return names[0];
    };
    const one = await nameOf('https://code.example.com/api/v3');
    expect(await nameOf('https://code.example.com/api/v3/')).toBe(one);
    expect(await nameOf('https://code.example.com/other')).not.toBe(one);
    expect(await nameOf('https://other.example.com/api/v3')).not.toBe(one);
  });
});

describe('close()', () => {
  it('close() waits for pending cache writes', async () => {
    let done = () => {};
    const kept: string[] = [];
    const store = {
      get: async () => undefined,
      set: async () => {
        await new Promise<void>((resolve) => {
          done = resolve;
        });
        kept.push('kept');
      },
      delete: async () => undefined,
    };
    const dispatcher = new AnsweringDispatcher([{ ...fine, headers: { etag: '"1"' } }]);
    const transport = transportOver(dispatcher, { cache: { store } });
    await transport.perform(createJob(anyJson));
    await turns(2);
    const closing = transport.close();
    await turns(2);
    done();
    await closing;
    expect(kept).toEqual(['kept']);
  });
});
