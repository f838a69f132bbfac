import { describe, expect, it } from 'vitest';
import { control } from '../../src/testing/control.js';
import { consoleSeed, createEmulator } from '../../src/testing/index.js';

const mebibyte = 1_048_576;
const origin = 'http://code.test';
const head = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n`;

/** Creates a body that counts the bytes that are read from it. */
function counted(pieces: Iterable<Uint8Array>) {
  const seen = { bytes: 0 };
  const body = ReadableStream.from(
    (function* () {
      for (const piece of pieces) {
        seen.bytes += piece.byteLength;
        yield piece;
      }
    })(),
  );
  return { body, seen };
}

/** Generates a multipart form with one part of 64 MiB. */
function* bigForm() {
  yield Buffer.from(head('userName'));
  for (let index = 0; index < 1024; index++) yield Buffer.alloc(mebibyte / 16, 'x');
  yield Buffer.from('\r\n--b--\r\n');
}

function post(path: string, body: string | ReadableStream, type: string): Request {
  const headers = { 'content-type': type, 'user-agent': 'test' };
  return new Request(origin + path, { method: 'POST', headers, body, duplex: 'half' });
}

const multipart = 'multipart/form-data; boundary=b';
const urlencoded = 'application/x-www-form-urlencoded';

describe('forms without a token', () => {
  it.each([
    ['/api/v2/authenticate', 400],
    ['/api/v2/contact', 400],
    ['/login/oauth/authorize', 413],
    ['/login/oauth/access_token', 413],
  ])('the emulator reads at most 8 MiB of a multipart form at %s', async (path, status) => {
    const { body, seen } = counted(bigForm());
    const response = await createEmulator().respond(post(path, body, multipart));
    expect(response.status).toBe(status);
    expect(seen.bytes).toBeLessThan(9 * mebibyte);
  });

  it.each([
    ['/api/v2/authenticate', 400],
    ['/login/oauth/access_token', 413],
    ['/setup/api/start', 413],
  ])('the emulator accepts at most 10,000 form fields at %s', async (path, status) => {
    const many = await createEmulator().respond(post(path, 'a&'.repeat(10_001), urlencoded));
    expect([many.status, await many.text()]).toEqual([status, expect.stringContaining('10000')]);
    const some = await createEmulator().respond(post(path, 'a&'.repeat(9999), urlencoded));
    expect(await some.text()).not.toContain('10000');
  });
});

it('POST /setup/api/start rejects a JSON body with more than 10,000 fields', async () => {
  const names = Array.from({ length: 10_001 }, (_, index) => [`f${index}`, 1]);
  const json = JSON.stringify(Object.fromEntries(names));
  const response = await createEmulator().respond(
    post('/setup/api/start', json, 'application/json'),
  );
  expect(response.status).toBe(413);
});

describe('multipart forms', () => {
  it.each([
    ['/api/v2/authenticate', 400],
    ['/login/oauth/access_token', 413],
  ])(
    'the emulator accepts at most 10,000 parts of a multipart form at %s',
    async (path, status) => {
      const form = (count: number) => `${`${head('a')}\r\n`.repeat(count)}--b--\r\n`;
      for (const type of [multipart, 'multipart/form-data; charset=utf-8; boundary="b"']) {
        const many = await createEmulator().respond(post(path, form(10_001), type));
        expect([many.status, await many.text()]).toEqual([
          status,
          expect.stringContaining('10000'),
        ]);
        const some = await createEmulator().respond(post(path, form(10_000), type));
        expect(await some.text()).not.toContain('10000');
      }
    },
  );
});

describe('asset downloads', () => {
  it("the emulator doesn't copy a 16 MiB asset for each of 50 slow readers", async () => {
    const { hosting, respond } = createEmulator();
    const release = hosting.addRelease('acme/rocket', 'big');
    const content = Buffer.alloc(16 * mebibyte, 'zip');
    const { id } = hosting.addAsset(release, 'a.zip', { content });
    const get = async () => await respond(new Request(`${origin}/assets/acme/rocket/${id}`));
    const before = process.memoryUsage().arrayBuffers;
    const responses = await Promise.all(Array.from({ length: 50 }, get));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50 * mebibyte);
    expect(responses[0]?.headers.get('content-length')).toBe(String(16 * mebibyte));
    const received = (await responses[0]?.arrayBuffer()) ?? new ArrayBuffer();
    expect(content.equals(Buffer.from(received))).toBe(true);
  });
});

describe('the console', () => {
  const start = async (pieces: Iterable<Uint8Array>) => {
    const emulator = createEmulator();
    const { body, seen } = counted(pieces);
    const response = await emulator.respond(post('/setup/api/start', body, multipart));
    return { emulator, seen, status: response.status, text: await response.text() };
  };

  it('API reads only the start of a multipart form with 5000 parts', async () => {
    function* parts() {
      for (let index = 0; index < 5000; index++) yield Buffer.from(`${head(`f${index}`)}x\r\n`);
      yield Buffer.from('--b--\r\n');
    }
    const { status, seen } = await start(parts());
    expect(status).toBe(400);
    expect(seen.bytes).toBeLessThan(200_000);
  });

  it('API ignores the fields of a multipart form after 4 MiB', async () => {
    function* parts() {
      for (let index = 0; index < 4; index++) {
        yield Buffer.from(head(`filler${index}`));
        yield Buffer.alloc(mebibyte, 'x');
        yield Buffer.from('\r\n');
      }
      yield Buffer.from(`${head('license')}l\r\n${head('package')}p\r\n--b--\r\n`);
    }
    const { status, text } = await start(parts());
    expect([status, text]).toEqual([400, expect.stringContaining('license')]);
  });

  it('API records only the last 1000 uploads', async () => {
    const emulator = createEmulator();
    for (let index = 0; index < 501; index++) {
      const body = new URLSearchParams({ license: `l${index}`, package: 'p' });
      const request = post('/setup/api/start', body.toString(), urlencoded);
      expect((await emulator.respond(request)).status).toBe(202);
    }
    expect(emulator.console.uploads).toHaveLength(1000);
    expect(emulator.console.licenseMd5).not.toBe(consoleSeed.licenseMd5);
  });
});

describe("the emulator's control API", () => {
  it.each(['faults', 'clock', 'applications'])(
    'the control API reads at most 8 MiB of a body at /_emulator/%s',
    async (name) => {
      const { body, seen } = counted(bigForm());
      const request = post(`/_emulator/${name}`, body, 'application/json');
      expect((await control(createEmulator(), request))?.status).toBe(413);
      expect(seen.bytes).toBeLessThan(9 * mebibyte);
    },
  );

  it('emulator.status() shortens paths to 500 characters and an ellipsis', async () => {
    const emulator = createEmulator();
    await emulator.respond(new Request(`${origin}/${'x'.repeat(5000)}`));
    expect(emulator.status().requests[0]?.path).toHaveLength(501);
    expect(emulator.requests[0]?.path).toHaveLength(5001);
  });
});

describe('the emulator', () => {
  it('responds with 503 if incomplete request bodies use 512 MiB in total', async () => {
    const emulator = createEmulator();
    const piece = Buffer.alloc(64 * mebibyte, ' ');
    const aborted = new AbortController();
    const send = async (body: string | ReadableStream) =>
      await control(
        emulator,
        new Request(`${origin}/_emulator/world.json`, { method: 'PUT', body, duplex: 'half' }),
      );
    let started = 0;
    const stalled = Array.from({ length: 8 }, () => {
      const body = ReadableStream.from(
        (async function* () {
          yield piece;
          started += 1;
          await new Promise((resolve) => aborted.signal.addEventListener('abort', resolve));
          throw new Error('the client has gone');
        })(),
      );
      return send(body);
    });
    await expect.poll(() => started).toBe(8);
    expect((await send('{}'))?.status).toBe(503);
    const upload = post('/api/v2/authenticate', 'a=b', multipart);
    expect((await emulator.respond(upload)).status).toBe(503);
    aborted.abort();
    await Promise.allSettled(stalled);
    expect((await send('{}'))?.status).toBe(204);
  });
});
