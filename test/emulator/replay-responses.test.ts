import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { replay } from '../../src/testing/index.js';
import { createFolder, origin, sendRequest, text } from './handwritten-recording.js';

describe('a replay', () => {
  test('a replay returns the recorded status, headers and body', async () => {
    const headers = { 'content-type': 'application/json', 'x-a': 'b' };
    const folder = await createFolder([
      { url: '/json', response: { status: 201, headers, json: { a: 1 } } },
      { url: '/none', response: { status: 204, headers: { 'x-a': 'b' } } },
      { url: '/same', response: { status: 304, headers: {} } },
      { url: '/reset', response: { status: 205, headers: {} } },
      { method: 'HEAD', url: '/head', response: { headers: { 'content-length': '7' } } },
      { url: '/empty', response: { headers: {} } },
      {
        url: '/bytes',
        response: { headers: { 'content-type': 'image/png' }, file: 'bodies/0001.bin' },
      },
    ]);
    await writeFile(join(folder, 'bodies/0001.bin'), Buffer.from([200, 1]));
    const from = replay(folder);
    const created = await sendRequest(from, '/json');
    expect(created).toMatchObject({
      status: 201,
      headers: { ...headers, 'content-length': '7' },
      text: '{"a":1}',
    });
    const none = await sendRequest(from, '/none');
    expect(none).toMatchObject({ status: 204, headers: { 'x-a': 'b' }, text: '' });
    expect((await sendRequest(from, '/same')).status).toBe(304);
    expect((await sendRequest(from, '/reset')).status).toBe(205);
    const head = await sendRequest(from, '/head', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, headers: { 'content-length': '7' }, text: '' });
    expect(await sendRequest(from, '/empty')).toMatchObject({
      headers: { 'content-length': '0' },
      text: '',
    });
    const { body } = await request(`${origin}/bytes`, { dispatcher: from });
    expect(Buffer.from(await body.arrayBuffer())).toEqual(Buffer.from([200, 1]));
    const head501 = await sendRequest(from, '/other', { method: 'HEAD' });
    expect([head501.status, head501.headers['content-type']]).toEqual([
      501,
      expect.stringContaining('json'),
    ]);
  });

  test('a replay server replaces recorded origins with its own origin', async () => {
    const both = `${origin}/x ${origin}/y http://other.example.test/z`;
    const coded = { 'content-type': 'text/plain', 'content-encoding': 'br' };
    const folder = await createFolder([
      {
        url: '/a',
        response: { headers: { 'content-type': 'text/plain', location: both }, text: both },
      },
      { url: '/a', response: { headers: { 'content-type': 'text/plain' }, text: both } },
      { url: '/b', response: { headers: coded, text: both } },
      { url: '/b', response: { headers: { 'content-type': 'image/png' }, text: both } },
      { url: 'http://other.example.test/c', ...text('c') },
    ]);
    const from = replay(folder);
    expect((await sendRequest(from, '/a')).text, 'in process, the recorded origins are kept').toBe(
      both,
    );
    const here = await from.listen();
    onTestFinished(() => here.close());
    const moved = both.replaceAll(/http:\/\/\w+\.example\.test/g, here.url);
    const response = await request(`${here.url}/a`);
    expect([response.headers.location, await response.body.text()]).toEqual([undefined, moved]);
    for (let times = 0; times < 2; times++) {
      const { body } = await request(`${here.url}/b`);
      expect(await body.text(), 'a body that is not readable text is unchanged').toBe(both);
    }
    const again = replay(folder);
    const there = await again.listen();
    onTestFinished(() => there.close());
    const first = await request(`${there.url}/a`);
    expect(first.headers.location).toBe(moved.replaceAll(here.url, there.url));
    await first.body.dump();
    expect(await (await request(`${there.url}/c`)).body.text()).toBe('c');
  });
});

test('a replay server responds to a 20 MB upload', async () => {
  const from = replay(await createFolder([{ method: 'POST', url: '/up', ...text('thanks') }]));
  const here = await from.listen();
  onTestFinished(() => here.close());
  const body = Buffer.alloc(20_000_000);
  const { body: response } = await request(`${here.url}/up`, { method: 'POST', body });
  expect(await response.text()).toBe('thanks');
});
