import { describe, expect, it } from 'vitest';
import {
  NotFoundError,
  PermissionError,
  UnexpectedStatusError,
} from '../../../src/errors/index.js';
import { cacheKey } from '../../../src/transport/policies/cache.js';
import { type Authorizer, anonymous } from '../../../src/transport/request/credentials.js';
import {
  exists,
  json,
  noContent,
  nullOn404,
  type ResponseSpec,
} from '../../../src/transport/request/endpoint.js';
import type { CacheStore } from '../../../src/transport/stores/stores.js';
import { rejectionOf, turns, until } from '../../support/client.js';
import { AnsweringDispatcher, type Reply } from './dispatch/answering-dispatcher.js';
import { spec } from './policies/cached-spec.js';
import { anyJson, createJob, createToken, fixed, transportOver } from './prepared-calls.js';
import { recordChannel } from './recorded-events.js';

const fine: Reply = { body: '"fine"' };

/** Performs a call whose response is `reply`. */
function perform<T>(responseSpec: ResponseSpec<T>, reply: Reply) {
  return transportOver(new AnsweringDispatcher([reply])).perform(createJob(responseSpec));
}

describe('an existence check', () => {
  it.each([
    [204, true],
    [404, false],
  ])('an existence check maps the status %i to %s', async (status, member) => {
    const { data, response } = await perform(exists, { status });
    expect(data).toBe(member);
    expect(response).toMatchObject({ status, attempts: 1 });
  });

  it('an existence check throws a PermissionError after a 403', async () => {
    await expect(perform(exists, { status: 403 })).rejects.toThrow(PermissionError);
  });
});

describe('nullOn404()', () => {
  const maybe = nullOn404(anyJson);

  it('nullOn404() returns null after a 404', async () => {
    expect((await perform(maybe, { status: 404, body: 'no JSON' })).data).toBeNull();
  });

  it('nullOn404() throws an error after a 403 or a 410', async () => {
    expect((await perform(maybe, fine)).data).toBe('fine');
    await expect(perform(maybe, { status: 403 })).rejects.toThrow(PermissionError);
    await expect(perform(maybe, { status: 410 })).rejects.toThrow(UnexpectedStatusError);
  });

  it('an endpoint without nullOn404() throws an error after a 404', async () => {
    await expect(perform(anyJson, { status: 404 })).rejects.toThrow(NotFoundError);
    await expect(perform(noContent, { status: 404 })).rejects.toThrow(NotFoundError);
  });
});

describe('status codes', () => {
  it.each([200, 204, 299])('the client accepts the status %i', async (status) => {
    expect((await perform(noContent, { status })).response?.status).toBe(status);
  });

  it.each([300, 304, 400])('the client rejects the status %i', async (status) => {
    const error = await rejectionOf(perform(noContent, { status }));
    expect(error).toMatchObject({ response: { status } });
  });

  it('the client rejects an interim response without a final response', async () => {
    const error = await rejectionOf(perform(noContent, { status: 103 }));
    expect(error).toBeInstanceOf(UnexpectedStatusError);
    expect(error).toMatchObject({ response: { status: 0 } });
  });
});

describe('onHeaders', () => {
  it('onHeaders delays decoding until its promise resolves', async () => {
    const order: string[] = [];
    let goOn = () => {};
    const answer: ResponseSpec<unknown> = {
      ...anyJson,
      map: (value) => {
        order.push('decoded');
        return value;
      },
    };
    const running = transportOver(new AnsweringDispatcher([fine])).perform(
      createJob(answer, {
        onHeaders: ({ status }) => {
          order.push(`arrived ${status}`);
          return new Promise<void>((resolve) => {
            goOn = resolve;
          });
        },
      }),
    );
    await turns(2);
    order.push('waited');
    goOn();
    expect((await running).data).toBe('fine');
    expect(order).toEqual(['arrived 200', 'waited', 'decoded']);
  });

  it('onHeaders runs only for a successful response', async () => {
    const statuses: number[] = [];
    const job = createJob(anyJson, {
      onHeaders: ({ status }) => {
        statuses.push(status);
        return undefined;
      },
    });
    const dispatcher = new AnsweringDispatcher([{ status: 404 }, fine]);
    const transport = transportOver(dispatcher);
    await rejectionOf(transport.perform(job));
    expect((await transport.perform(job)).data).toBe('fine');
    expect(statuses).toEqual([200]);
  });
});

/** Creates a store that records its reads and writes. */
function notingStore() {
  const asked: string[] = [];
  const kept = new Map<string, Parameters<CacheStore['set']>[1]>();
  const store: CacheStore = {
    get: async (key) => {
      asked.push(key);
      return kept.get(key);
    },
    set: async (key, entry) => {
      kept.set(key, entry);
    },
  };
  return { asked, kept, store };
}

describe('the cache', () => {
  const tagged: Reply = { ...fine, headers: { etag: '"1"' } };

  it.each<[string, Authorizer, string]>([
    ['an anonymous caller', anonymous, ''],
    ['a caller with a token', fixed(createToken('hush99')), 'print of hush99'],
  ])(
    "the cache stores a response for %s under the caller's key",
    async (_name, authorizer, fingerprint) => {
      const { asked, kept, store } = notingStore();
      const dispatcher = new AnsweringDispatcher([tagged]);
      await transportOver(dispatcher, { cache: { store } }).perform(
        createJob(anyJson, { authorizer }),
      );
      expect(asked).toEqual([cacheKey(spec, fingerprint)]);
      expect([...kept.keys()]).toEqual(asked);
    },
  );

  it('the cache returns the original status after a 304', async () => {
    const [ends, hits] = [
      recordChannel('triforge:request:end'),
      recordChannel('triforge:cache:hit'),
    ];
    const { kept, store } = notingStore();
    const dispatcher = new AnsweringDispatcher([tagged, { status: 304 }]);
    const transport = transportOver(dispatcher, { cache: { store } });
    expect((await transport.perform(createJob(anyJson))).response?.fromCache).toBe(false);
    await until('it is kept', () => kept.size > 0);
    expect(hits).toEqual([]);
    const { data, response } = await transport.perform(createJob(anyJson));
    expect(data).toBe('fine');
    expect(response).toMatchObject({ status: 200, fromCache: true });
    expect(dispatcher.sent[1]?.headers).toMatchObject({ 'if-none-match': '"1"' });
    const request = {
      operation: 'things.get',
      method: 'GET',
      url: 'https://code.example.com/api/v3/thing?page=2',
    };
    expect(hits).toEqual([{ request }]);
    expect(ends).toMatchObject([{ status: 200 }, { status: 304 }]);
  });

  it("the cache doesn't store a response that cannot be decoded", async () => {
    const { kept, store } = notingStore();
    const dispatcher = new AnsweringDispatcher([{ ...tagged, body: 'no JSON' }]);
    const transport = transportOver(dispatcher, { cache: { store } });
    await rejectionOf(transport.perform(createJob(anyJson)));
    await turns(2);
    expect(kept.size).toBe(0);
  });

  it('the cache ignores calls for responses that are not JSON', async () => {
    const { asked, store } = notingStore();
    const transport = transportOver(new AnsweringDispatcher(() => tagged), { cache: { store } });
    for (const kind of ['bytes', 'none', 'exists'] as const) {
      await transport.perform(createJob({ ...anyJson, kind }));
    }
    expect(asked).toEqual([]);
  });

  it('the cache ignores a POST and a GET with secrets in its input', async () => {
    const { asked, store } = notingStore();
    const transport = transportOver(new AnsweringDispatcher(() => tagged), { cache: { store } });
    await transport.perform(createJob(anyJson, { spec: { method: 'POST' } }));
    await transport.perform(createJob(anyJson, { spec: { secrets: ['hush99'] } }));
    expect(asked).toEqual([]);
  });
});

describe('errors for unreadable responses', () => {
  const strict = json({
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: () => ({ issues: [{ message: 'is wrong', path: ['a'] }] }),
    },
  });
  it.each([
    ['GET', "doesn't mention", false],
    ['HEAD', "doesn't mention", false],
    ['POST', 'mentions', true],
    ['DELETE', 'mentions', true],
  ] as const)(
    'the error for an unreadable response to a %s %s that the server executed the request',
    async (method, _mentions, executed) => {
      const place = `[${method} https://code.example.com/api/v3/thing?page=2]`;
      const dispatcher = new AnsweringDispatcher([{ body: '{"a"' }, { body: '{}' }]);
      const transport = transportOver(dispatcher);
      const text = await rejectionOf(transport.perform(createJob(anyJson, { spec: { method } })));
      expect(text).toMatchObject({
        name: 'ResponseBodyError',
        message: expect.stringMatching(/^things\.get: the response has status 200, but /),
      });
      expect(String(text).endsWith(` ${place}`), String(text)).toBe(true);
      expect(/\. .*server executed/.test(String(text)), String(text)).toBe(executed);
      const shape = await rejectionOf(transport.perform(createJob(strict, { spec: { method } })));
      expect(shape).toMatchObject({
        name: 'ResponseShapeError',
        message: expect.stringMatching(/^things\.get: .* a: is wrong/),
      });
      expect(String(shape).endsWith(` ${place}`), String(shape)).toBe(true);
      expect(/\. .*server executed/.test(String(shape)), String(shape)).toBe(executed);
    },
  );
});

describe('close()', () => {
  it("close() closes the client's own dispatcher only once", async () => {
    const dispatcher = new AnsweringDispatcher([]);
    const dispatchers = {
      single: dispatcher,
      select: () => dispatcher,
      getProxy: () => undefined,
      close: () => dispatcher.close(),
    };
    const transport = transportOver(dispatcher, {}, { dispatchers });
    const closing = transport.close();
    await Promise.all([closing, transport.close()]);
    expect(dispatcher.closings).toBe(1);
  });

  it("close() leaves the caller's dispatcher open", async () => {
    const dispatcher = new AnsweringDispatcher([fine]);
    const transport = transportOver(dispatcher);
    await transport.close();
    expect(dispatcher.closings).toBe(0);
    const other = transportOver(dispatcher);
    expect((await other.perform(createJob(anyJson))).data).toBe('fine');
  });
});
