import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { runExample } from './run-example.js';

test('own-endpoints closes and opens issues through ten custom endpoints', async () => {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { hosting } = emulator;
  const user = {
    login: 'mona',
    id: 1,
    avatar_url: 'https://code.test/a',
    url: 'https://code.test/u',
  };
  const issues = [{ number: 1, title: 'Stale branch: gone', state: 'open', user }];
  const branches = { 'feature/old': '2012-05-01', fresh: '2014-05-01', old: '2013-05-01' };
  const locked: string[] = [];
  const comments: unknown[] = [];
  const at = 'repos/:owner/:repo';
  hosting.route(`GET /${at}/labels/:name`, () => undefined);
  hosting.route(`POST /${at}/labels`, async ({ json }) => ({ status: 201, body: await json() }));
  hosting.route(`GET /${at}/issues`, ({ page, query }) =>
    page(issues.filter(({ state }) => state === query.get('state'))),
  );
  hosting.route(`POST /${at}/issues`, async ({ json }) => {
    const { title } = await json();
    const issue = { number: issues.length + 1, title: String(title), state: 'open', user };
    issues.push(issue);
    return { status: 201, body: issue };
  });
  hosting.route(`GET /${at}/issues/:number`, ({ params }) => ({
    body: issues[Number(params.number) - 1],
  }));
  hosting.route(`PATCH /${at}/issues/:number`, async ({ params, json }) => {
    const issue = Object.assign(issues[Number(params.number) - 1] ?? {}, await json());
    return { body: issue };
  });
  hosting.route(`POST /${at}/issues/:number/comments`, async ({ json }) => {
    const comment = await json();
    comments.push(comment);
    return { status: 201, body: comment };
  });
  hosting.route(`PUT /${at}/issues/:number/lock`, ({ params }) => {
    locked.push(params.number);
    return {};
  });
  hosting.route(`GET /${at}/branches`, ({ page }) =>
    page(Object.keys(branches).map((name) => ({ name }))),
  );
  hosting.route(`GET /${at}/branches/*name`, ({ params: { name } }) => ({
    body: { name, commit: { date: new Map(Object.entries(branches)).get(name) } },
  }));
  const { hostingUrl } = await emulator.listen();
  const env = { TRIFORGE_BASE_URL: hostingUrl, TRIFORGE_TOKEN: seeded.token };
  const { code, stdout, stderr } = await runExample('own-endpoints', env, ['2014-01-01']);
  expect(code, stderr).toBe(0);
  expect(stdout.trim().split('\n')).toEqual([
    '#2 Stale branch: feature/old',
    '#3 Stale branch: old',
    '#1 Stale branch: gone: closed (by mona)',
  ]);
  expect([locked, comments.length]).toEqual([['1'], 1]);
  expect(emulator.requests.length).toBe(13);
});
