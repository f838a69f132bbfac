import { type Dispatcher, request, upgrade } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createRecorder } from '../../src/testing/index.js';
import { serve, serveRaw } from '../support/server.js';
import { readLines, recordingFolder } from './recording-folder.js';

test("a recorder doesn't record a truncated response", async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response) => {
    response.writeHead(200, { 'content-length': '9' }).write('half');
    return setTimeout(() => response.destroy(), 5);
  });
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const { body } = await request(server.origin, { dispatcher: recorder });
  await expect(body.text()).rejects.toThrow();
  expect(await readLines(to)).toEqual([]);
});

test('a recorder forwards an abort to the server', async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response) => void response.writeHead(200).write('half'));
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const leaving = new AbortController();
  const { signal } = leaving;
  const { body } = await request(server.origin, { dispatcher: recorder, signal });
  leaving.abort();
  await expect(body.text()).rejects.toThrow('aborted');
  await expect.poll(() => server.open()).toBe(0);
  expect(await readLines(to)).toEqual([]);
});

test('a recorder accepts a dispatch handler with only one or two callbacks', async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response, index) => {
    response.writeProcessing();
    if (index > 0) response.destroy();
    else response.end('x');
  });
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.close());
  const failures: unknown[] = [];
  const failed = (_controller: unknown, error: unknown) => failures.push(error);
  const sendRequest = (handler: object) =>
    recorder.dispatch(
      { origin: server.origin, method: 'GET', path: '/' },
      // `as`: undici accepts a handler that has only one callback.
      handler as Dispatcher.DispatchHandler,
    );
  sendRequest({ onRequestStart: () => undefined, onResponseError: failed });
  await expect.poll(() => readLines(to)).toMatchObject([{ response: { status: 200 } }]);
  expect(failures).toEqual([]);
  sendRequest({ onRequestStart: () => undefined });
  await expect.poll(() => server.log).toHaveLength(2);
});

test('a recorder reports no error for an upgrade if the handler has no onRequestUpgrade', async () => {
  const server = await serveRaw((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: own\r\n\r\n');
  });
  const recorder = createRecorder({ to: await recordingFolder() });
  onTestFinished(() => recorder.destroy());
  const failures: unknown[] = [];
  // `as`: undici accepts a handler without other callbacks.
  const handler = {
    onRequestStart: () => undefined,
    onResponseError: (_controller: unknown, error: unknown) => failures.push(error),
  } as Dispatcher.DispatchHandler;
  recorder.dispatch({ origin: server.origin, method: 'GET', path: '/', upgrade: 'own' }, handler);
  await expect.poll(() => server.log).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(failures).toEqual([]);
});

test('a recorder forwards an upgrade without recording it', async () => {
  const server = await serveRaw((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: own\r\n\r\n');
  });
  const to = await recordingFolder();
  const recorder = createRecorder({ to });
  onTestFinished(() => recorder.destroy());
  const { headers, socket } = await upgrade(server.origin, {
    dispatcher: recorder,
    protocol: 'own',
  });
  socket.destroy();
  expect(headers.upgrade).toBe('own');
  expect(await readLines(to)).toEqual([]);
});
