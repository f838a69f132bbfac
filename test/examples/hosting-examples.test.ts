import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { runExample } from './run-example.js';

async function listening() {
  const emulator = createEmulator();
  onTestFinished(() => emulator.close());
  const { hostingUrl } = await emulator.listen();
  return { emulator, env: { TRIFORGE_BASE_URL: hostingUrl, TRIFORGE_TOKEN: seeded.token } };
}

test('quickstart runs by itself to its end', async () => {
  const { code, stdout, stderr } = await runExample('quickstart');
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('250');
});

test('audit-org-teams writes every team, member and repository that the emulator holds', async () => {
  const { emulator, env } = await listening();
  emulator.hosting.addTeam(seeded.owner, '=cmd, "quoted"', { members: [seeded.login] });
  const { code, stdout, stderr } = await runExample('audit-org-teams', env);
  expect(code, stderr).toBe(0);
  const teams = [...emulator.hosting.state.teams.values()].filter(
    ({ org }) => org === seeded.owner,
  );
  const lines = stdout.trimEnd().split('\n');
  const pairs = teams.reduce((sum, { members, repos }) => sum + members.size + repos.size, 0);
  expect(lines[0]).toBe('team,permission,kind,name');
  expect(lines.length - 1, 'a line for each member and repository').toBe(pairs);
  expect(lines, 'no formula for a spreadsheet').toContain(
    `"'=cmd, ""quoted""",pull,member,${seeded.login}`,
  );
  expect(stderr, 'a progress bar').toContain(`${teams.length} of ${teams.length} teams`);
});

test('audit-org-teams writes nothing where something could not be read, and says why', async () => {
  const { emulator, env } = await listening();
  const matcher = { method: 'GET', path: '/repos' };
  emulator.fail(matcher, { kind: 'answer', status: 403, body: { message: 'Not yours' } });
  const { code, stdout, stderr } = await runExample('audit-org-teams', env);
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/ended early: .*teams\.listRepos.*Not yours/);
});

test('oauth-web-app signs in, and survives a denial and a forged state', async () => {
  const { code, stdout, stderr } = await runExample('oauth-web-app');
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('access_denied');
});

test('webhook-receiver handles each delivery once', async () => {
  const { code, stdout, stderr } = await runExample('webhook-receiver');
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/ping of hook \d+/);
  expect(stdout.match(/mona pushed to/g), 'the test push, and the repeated one once').toHaveLength(
    2,
  );
  expect(stdout).toContain('answered 401');
});
