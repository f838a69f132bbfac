import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createClient, rejectionOf, until } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

it('triforge:wait subscribers run in the context of the waiting call', async () => {
  const storage = new AsyncLocalStorage<string>();
  onTestFinished(() => storage.disable());
  const published: unknown[] = [];
  const note = () => {
    published.push(storage.getStore());
  };
  subscribe('triforge:wait', note);
  onTestFinished(() => void unsubscribe('triforge:wait', note));
  const held: ServerResponse[] = [];
  const server = await serve((_request, response) => held.push(response));
  const logged: unknown[] = [];
  const line = () => {
    logged.push(storage.getStore());
  };
  const log = { debug: () => undefined, info: line, warn: () => undefined, error: () => undefined };
  const hosting = createClient(server, { maxConcurrency: 1, rateLimit: { onLimit: 'wait' }, log });
  const first = storage.run('first', () => hosting.request('GET a'));
  await until('the first is on its way', () => held.length === 1);
  const controller = new AbortController();
  const { signal } = controller;
  const second = storage.run('second', () => hosting.request('GET b', {}, { signal }));
  const third = storage.run('third', () => hosting.request('GET c', {}, { signal }));
  const failing = Promise.all([rejectionOf(second), rejectionOf(third)]);
  const [response] = held;
  if (!response) throw new Error('nothing was sent');
  const reset = Math.ceil(Date.now() / 1000) + 600;
  sendJson(response, {}, 200, {
    'x-ratelimit-limit': 60,
    'x-ratelimit-remaining': 0,
    'x-ratelimit-reset': reset,
  });
  await first;
  await until('both wait', () => published.length >= 4);
  controller.abort();
  await failing;
  // Each call waits for a permit first and then for the rate limit.
  expect(published).toEqual(['second', 'third', 'second', 'third']);
  expect(logged).toEqual(expect.arrayContaining(['second', 'third']));
  expect(logged.filter((context) => context === 'first')).toHaveLength(1);
});
