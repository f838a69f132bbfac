import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './rocket.js';
import { api, origin, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const rocket = () => findRocket(emulator);

describe('commits, diffs and patches', () => {
  const diff = { headers: { accept: 'application/vnd.service.v3.diff' } };
  const patch = { headers: { accept: 'application/vnd.service.patch' } };

  test('the emulator returns a commit by SHA or branch, as JSON, a diff or a patch', async () => {
    emulator.hosting.addFiles(
      'acme/rocket',
      { 'README.md': '# Rocket\n\nIt lands.\n', 'new.txt': 'x' },
      { message: 'Land\n\nSoftly.' },
    );
    const sha = rocket().refs.get('heads/main')?.sha ?? '';
    const { status, data } = await sendRequest(emulator, `GET /repos/acme/rocket/commits/${sha}`);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      sha,
      commit: { message: 'Land\n\nSoftly.' },
      url: `${api}/repos/acme/rocket/commits/${sha}`,
    });
    expect(data.files).toMatchObject([
      { filename: 'README.md', status: 'modified', additions: 1, deletions: 1 },
      { filename: 'new.txt', status: 'added', additions: 1, deletions: 0 },
    ]);
    expect((await sendRequest(emulator, 'GET /repos/acme/rocket/commits/main')).data.sha).toBe(sha);
    expect(
      (await sendRequest(emulator, 'GET /repos/acme/rocket/commits/feature/part-1')).status,
    ).toBe(200);
    expect((await sendRequest(emulator, 'GET /repos/acme/rocket/commits/none')).status).toBe(404);

    const text = await sendRequest(emulator, `GET /repos/acme/rocket/commits/${sha}`, diff);
    expect(text.headers['content-type']).toBe('application/vnd.service.v3.diff; charset=utf-8');
    expect(text.text).toContain(
      '--- a/README.md\n+++ b/README.md\n@@ -1,3 +1,3 @@\n # Rocket\n \n-It flies. 🚀\n+It lands.\n',
    );
    expect(text.text).toContain('new file mode 100644');
    expect(text.text).toContain(
      '--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+x\n\\ No newline at end of file\n',
    );
    const mail = (await sendRequest(emulator, `GET /repos/acme/rocket/commits/${sha}`, patch)).text;
    expect(mail).toMatch(new RegExp(`^From ${sha} Mon Sep 17 00:00:00 2001\nFrom: acme `));
    expect(mail).toContain('Subject: [PATCH] Land\n\nSoftly.\n');
  });

  test('the diff of a pull request matches its lists of files and commits', async () => {
    const path = '/repos/acme/rocket/pulls/7';
    const files = (await sendRequest(emulator, `GET ${path}/files`)).data;
    const text = (await sendRequest(emulator, `GET ${path}`, diff)).text;
    expect(files).toHaveLength(3);
    for (const { filename, patch: hunk } of files) {
      expect(text).toContain(`diff --git a/${filename} b/${filename}\n`);
      expect(text).toContain(hunk);
    }
    const [commit] = (await sendRequest(emulator, `GET ${path}/commits`)).data;
    const linked = await sendRequest(emulator, `GET ${commit.url.slice(api.length)}`);
    expect(linked.data.files.map((each: { filename: string }) => each.filename)).toEqual(
      files.map((each: { filename: string }) => each.filename),
    );
    expect((await sendRequest(emulator, `GET ${path}`, patch)).text).toContain(
      `From ${commit.sha}`,
    );
  });

  test('the diff of a pull request shows only the changes of its head branch', async () => {
    emulator.hosting.addFile('acme/rocket', 'src/engine.ts', 'export {};\n', 'feature/part-1');
    const body = { title: 'Engine', head: 'feature/part-1', base: 'main' };
    const { data } = await sendRequest(emulator, 'POST /repos/acme/rocket/pulls', { body });
    const { text } = await sendRequest(
      emulator,
      `GET /repos/acme/rocket/pulls/${data.number}`,
      diff,
    );
    expect(text).toContain('+++ b/src/engine.ts\n@@ -0,0 +1,1 @@\n+export {};\n');
    expect(text.match(/^diff/gm)).toHaveLength(1);
  });

  test('the emulator serves the diff_url and patch_url of a public pull request only', async () => {
    const { data } = await sendRequest(emulator, 'GET /repos/acme/rocket/pulls/7');
    const { respond } = emulator;
    const shown = await (await respond(new Request(data.diff_url))).text();
    expect(shown).toBe((await sendRequest(emulator, 'GET /repos/acme/rocket/pulls/7', diff)).text);
    expect((await respond(new Request(data.patch_url))).headers.get('content-type')).toMatch(
      /^text\/plain/,
    );
    const sha = rocket().refs.get('heads/main')?.sha;
    expect((await respond(new Request(`${origin}/acme/rocket/commit/${sha}.diff`))).status).toBe(
      200,
    );
    emulator.hosting.addPull('acme/secret');
    expect((await respond(new Request(`${origin}/acme/secret/pull/1.diff`))).status).toBe(404);
  });
});
