import type { EmulatorClock } from '../clock.js';
import { Random, sha1 } from '../random.js';
import type { Repo } from './records/repository.js';
import type { FileContent } from './records/tree.js';
import type { HostingWorld } from './world.js';

const names = [
  'ada',
  'alan',
  'barbara',
  'dennis',
  'edsger',
  'grace',
  'hedy',
  'ken',
  'linus',
  'margaret',
] as const;
const day = 24 * 3600 * 1000;

/** Names and credentials in a seeded emulator, for clients and tests. */
export const seeded = {
  /** Login of a site admin who owns `acme`. */
  login: 'mona',
  password: 'correct horse battery staple',
  token: '0123456789abcdef0123456789abcdef01234567',
  owner: 'acme',
  repo: 'rocket',
  /** Client ID of an OAuth application. */
  clientId: 'abcdefghij0123456789',
  clientSecret: 'abcdefghijabcdefghijabcdefghijabcdefghij',
} as const;

/** Returns the emulator's time minus a number of days. */
type Ago = (days: number) => string;

/**
 * Fills an empty world with:
 * - 127 accounts;
 * - `acme/rocket` with 250 pull requests, 40 releases, 120 stars, 45 comments and 60 more references;
 * - 41 more repositories and 34 more teams of `acme`;
 * - 40 repositories of `mona`.
 */
export function seedWorld(world: HostingWorld, clock: EmulatorClock): void {
  const random = new Random(2014);
  const ago: Ago = (days) => clock.iso(-Math.round(days * day));
  world.addUser(seeded.login, { password: seeded.password, siteAdmin: true });
  world.addOrg(seeded.owner, [seeded.login]);
  const logins = Array.from({ length: 125 }, (_, index) => {
    const login = `${names[index % names.length] ?? names[0]}-${index}`;
    world.addUser(login, { password: `password of ${login}` });
    return login;
  });
  world.addToken(seeded.login, ['repo', 'user', 'admin:org', 'admin:repo_hook'], {
    token: seeded.token,
    note: 'seed',
  });
  world.addApplication('Seed application', {
    clientId: seeded.clientId,
    clientSecret: seeded.clientSecret,
    callbackUrl: 'http://127.0.0.1/callback',
    anyPort: true,
  });
  seedRocket(world, logins, random, ago);
  for (let index = 1; index <= 40; index++) {
    const repo = world.addRepo(seeded.login, `project-${index}`, { createdAt: ago(300 - index) });
    world.addStar(repo, seeded.login, ago(300 - index));
    world.addStar(repo, random.pick(['ada-0', 'alan-1', 'grace-5']), ago(300 - index));
  }
  world.addRepo(seeded.owner, 'secret', { isPrivate: true, createdAt: ago(10) });
  seedTeams(world, logins, random, ago);
  for (const name of ['lander', 'probe']) {
    world.addRepo(seeded.owner, name, { createdAt: ago(20) });
  }
}

function seedRocket(
  world: HostingWorld,
  logins: readonly string[],
  random: Random,
  ago: Ago,
): void {
  const rocket = world.addRepo(seeded.owner, seeded.repo, { createdAt: ago(400), files: files() });
  rocket.collaborators.set(seeded.login, 'admin');
  for (const [index, login] of logins.slice(0, 120).entries()) {
    world.addStar(rocket, login, ago(390 - index));
  }
  for (let number = 1; number <= 250; number++) addPull(world, rocket, number, random, ago);
  for (let number = 1; number <= 40; number++) {
    world.addRelease(rocket, `v0.${number}.0`, {
      name: `Rocket 0.${number}`,
      body: `Notes of 0.${number}.`,
      draft: number % 13 === 0,
      prerelease: number % 7 === 0,
      createdAt: ago(80 - number * 2),
      login: seeded.login,
    });
  }
  for (let index = 1; index <= 20; index++) {
    world.addRef(rocket, `heads/feature/part-${index}`);
    world.addRef(rocket, `tags/v0.${index}.0`);
    world.addRef(rocket, `notes/note-${index}`);
  }
  for (let index = 1; index <= 45; index++) {
    const createdAt = ago(60 - index);
    const line = index % 3 === 0 ? { path: 'src/index.ts', position: index, line: index } : {};
    world.addComment(rocket, `Comment **${index}**`, {
      login: random.pick(names3),
      createdAt,
      ...line,
    });
  }
  for (let index = 1; index <= 3; index++) {
    world.addDownload(rocket, `rocket-0.${index}.tar.gz`, {
      description: `Rocket 0.${index}`,
      contentType: 'application/gzip',
      createdAt: ago(900 - index),
    });
  }
  for (let index = 1; index <= 35; index++) {
    const failed = index % 10 === 0;
    world.addPagesBuild(rocket, {
      status: failed ? 'errored' : 'built',
      error: failed ? 'Page build failed' : null,
      login: seeded.login,
      createdAt: ago(36 - index),
    });
  }
}

const names3 = ['ada-0', 'alan-1', 'grace-5'] as const;

function seedTeams(world: HostingWorld, logins: readonly string[], random: Random, ago: Ago): void {
  const repos = Array.from({ length: 38 }, (_, index) => {
    const name = `component-${index + 1}`;
    world.addRepo(seeded.owner, name, { createdAt: ago(200 - index) });
    return `${seeded.owner}/${name}`;
  });
  for (let index = 1; index <= 34; index++) {
    const start = random.below(80);
    world.addTeam(seeded.owner, `Team ${index}`, {
      permission: random.pick(['pull', 'push', 'admin']),
      members: logins.slice(start, start + (index === 1 ? 40 : random.below(12))),
      repos: repos.slice(index % 10, (index % 10) + random.below(8)),
    });
  }
}

function addPull(world: HostingWorld, repo: Repo, number: number, random: Random, ago: Ago): void {
  const closed = random.next() < 0.3;
  const merged = closed && random.next() < 0.7;
  const age = 251 - number;
  const login = `${random.pick(names)}-${random.below(100)}`;
  const end = ago(age * random.next());
  world.addPull(repo, {
    title: `Improve the rocket, part ${number}`,
    body: number % 9 === 0 ? null : `What part ${number} does.`,
    state: closed ? 'closed' : 'open',
    login: world.state.account(login) ? login : seeded.login,
    createdAt: ago(age),
    updatedAt: closed ? end : ago(age * random.next()),
    closedAt: closed ? end : null,
    mergedAt: merged ? end : null,
    mergeCommitSha: merged ? sha1('merge', String(number)) : null,
    comments: random.below(30),
    head: { ref: `part-${number}`, login: repo.owner, sha: sha1('head', String(number)) },
    base: { ref: 'main', login: repo.owner, sha: sha1('base', String(number)) },
  });
}

function files(): Record<string, FileContent> {
  const all: Record<string, FileContent> = {
    'README.md': '# Rocket\n\nIt flies. 🚀\n',
    'src/index.ts': 'export const thrust = 9000;\n',
    'docs/a#b?.md': 'A file with an odd name.\n',
  };
  for (let index = 0; index < 20; index++) all[`docs/chapter-${index}.md`] = `Chapter ${index}.\n`;
  all.latest = { symlink: 'src/index.ts' };
  all.dangling = { symlink: 'nowhere.txt' };
  all.engine = { submodule: 'https://elsewhere.example.com/engine.git' };
  return all;
}
