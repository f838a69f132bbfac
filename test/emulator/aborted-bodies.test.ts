import { getResponse } from 'msw';
import { expect, test } from 'vitest';
import { createEmulator, dispatcherOver } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';

// If a reader aborts a body, the emulator must also stop the body's source stream.

test("dispatcherOver() cancels the body's source if the handler aborts the response", async () => {
  let leave: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    pull: (source) => source.enqueue(Buffer.from('x')),
    cancel: () => leave?.(),
  });
  const reported: string[] = [];
  dispatcherOver(async () => new Response(body)).dispatch(
    { origin: 'http://code.test', path: '/', method: 'GET' },
    {
      onRequestStart: () => undefined,
      onResponseData(controller, piece) {
        reported.push(String(piece));
        controller.abort(new RangeError('left'));
      },
      onResponseError: (_controller, error) => void reported.push(error.name),
    },
  );
  await left;
  await expect.poll(() => reported).toEqual(['x', 'RangeError']);
});

test('a slow body from an MSW handler fails if its request is aborted', async () => {
  const emulator = createEmulator();
  const leaving = new AbortController();
  emulator.fail({}, { kind: 'slow', ms: 3_600_000 });
  const { signal } = leaving;
  const requests = new Request('http://code.test/api/v3/user', { signal });
  const response = await getResponse(mswHandlers(emulator), requests);
  const read = response?.body?.getReader().read();
  leaving.abort();
  await expect(read).rejects.toThrow('aborted');
});
