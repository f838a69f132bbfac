import { promiseHooks } from 'node:v8';
import { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { HostingClient } from '../../../src/hosting/index.js';

const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

/** Responds to each request with an empty object. Creates no promises, unlike a server. */
class AnsweringDispatcher extends Dispatcher {
  override dispatch(_options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
    handler.onRequestStart?.(controller, undefined);
    queueMicrotask(() => {
      handler.onResponseStart?.(controller, 200, {}, '');
      handler.onResponseData?.(controller, Buffer.from('{}'));
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  }
}

it('pulls.get() creates at most nine promises after warm-up calls', async () => {
  const hosting = new HostingClient({
    baseUrl: 'https://code.example.com/api/v3/',
    auth: { type: 'token', token: 'hush99' },
    dispatcher: new AnsweringDispatcher(),
    validation: 'off',
  });
  // Other code may create promises at the same time, so only the smallest number counts.
  let fewest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 20; run++) {
    let count = 0;
    const stop = promiseHooks.onInit(() => {
      count++;
    });
    const running = hosting.pulls.get({ owner: 'acme', repo: 'rocket', number: 1 });
    await running;
    stop();
    fewest = Math.min(fewest, count);
  }
  expect(fewest).toBeLessThanOrEqual(9);
});
