import { expect, test } from 'vitest';
import { createFetchHandler } from '../../src/webhooks/index.js';
import { secret, signed } from './webhook-receivers.js';

test('createFetchHandler reports an error if the body was already read', async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const request = new Request('http://receiver.test/', signed());
  await request.json();
  expect((await handle(request)).status).toBe(500);
  expect(errors).toMatchObject([{ reason: 'not_raw' }]);
  expect(String(errors[0])).toMatch(/^(?!.*express).*request\.clone\(\)/);
});

test("createFetchHandler responds with 400 if the body can't be read, without exposing the error", async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const body = new ReadableStream({
    start: (controller) => controller.error(new Error('the socket of 10.0.0.7 broke')),
  });
  const init: RequestInit = { ...signed(), body, duplex: 'half' };
  const response = await handle(new Request('http://receiver.test/', init));
  expect(response.status).toBe(400);
  expect(await response.text()).toMatch(/^(?!.*10\.0).*\w/);
  expect(errors).toEqual([new Error('the socket of 10.0.0.7 broke')]);
});

test('createFetchHandler rejects a POST without a body', async () => {
  const errors: unknown[] = [];
  const handle = createFetchHandler({
    secret: false,
    onDelivery: () => {},
    onError: (error) => errors.push(error),
  });
  const { headers } = signed();
  const response = await handle(new Request('http://receiver.test/', { method: 'POST', headers }));
  expect(response.status).toBe(400);
  expect(errors).toMatchObject([{ code: 'invalid_request', field: 'payload' }]);
});
