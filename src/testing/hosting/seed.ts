import type { EmulatorClock } from '../clock.js';
import { Random, sha1 } from '../random.js';
import {
  type Account,
  blobSha,
  type HostingState,
  type Pull,
  type Repo,
  type TreeEntry,
} from './state.js';

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
];
const day = 24 * 3600 * 1000;

/** Who and what a seeded emulator knows: for clients and tests. */
export const seeded = {
  /** A user who owns `acme` and may do everything there. */
  login: 'mona',
  password: 'correct horse battery staple',
  token: '0123456789abcdef0123456789abcdef01234567',
  owner: 'acme',
  repo: 'rocket',
} as const;

/** Fills a state with a small world: 127 accounts, 42 repositories; `acme/rocket` has 250 pulls, 40 releases, 120 stars. */
export function seedWorld(state: HostingState, clock: EmulatorClock): void {
  const random = new Random(2014);
  const at = (daysAgo: number) => clock.iso(-Math.round(daysAgo * day));
  addAccount(state, seeded.login, 'User', seeded.password, true);
  addAccount(state, seeded.owner, 'Organization');
  const logins = Array.from({ length: 125 }, (_, index) => {
    const login = `${names[index % names.length] ?? 'ada'}-${index}`;
    addAccount(state, login, 'User', `password of ${login}`);
    return login;
  });
  state.tokens.set(seeded.token, {
    token: seeded.token,
    login: seeded.login,
    scopes: ['repo', 'user', 'admin:org', 'admin:repo_hook'],
  });
  const rocket = addRepo(state, seeded.owner, seeded.repo, at(400));
  rocket.collaborators.set(seeded.login, 'admin');
  for (const login of logins.slice(0, 120)) rocket.stargazers.add(login);
  for (let number = 1; number <= 250; number++) {
    rocket.pulls.push(makePull(state, rocket, number, random, at));
  }
  for (let number = 1; number <= 40; number++) {
    const created = at(80 - number * 2);
    rocket.releases.push({
      id: state.nextId(),
      tagName: `v0.${number}.0`,
      targetCommitish: rocket.defaultBranch,
      name: `Rocket 0.${number}`,
      body: `Notes of 0.${number}.`,
      draft: number % 13 === 0,
      prerelease: number % 7 === 0,
      createdAt: created,
      publishedAt: number % 13 === 0 ? null : created,
      login: seeded.login,
      assets: [],
    });
  }
  fillTree(rocket);
  for (let index = 1; index <= 40; index++) {
    const repo = addRepo(state, seeded.login, `project-${index}`, at(300 - index));
    repo.stargazers.add(seeded.login);
    repo.stargazers.add(random.pick(['ada-0', 'alan-1', 'grace-5']));
  }
  addRepo(state, seeded.owner, 'secret', at(10)).isPrivate = true;
}

/** Adds an account. */
export function addAccount(
  state: HostingState,
  login: string,
  type: Account['type'] = 'User',
  password?: string,
  siteAdmin = false,
): Account {
  const account = { id: state.nextId(), login, type, siteAdmin, password, otp: undefined };
  state.accounts.set(login, account);
  return account;
}

/** Adds an empty repository. */
export function addRepo(state: HostingState, owner: string, name: string, createdAt: string): Repo {
  const repo: Repo = {
    id: state.nextId(),
    owner,
    name,
    description: `The ${name} of ${owner}`,
    isPrivate: false,
    forkOf: undefined,
    language: 'TypeScript',
    defaultBranch: 'main',
    createdAt,
    updatedAt: createdAt,
    collaborators: new Map(),
    pulls: [],
    releases: [],
    branches: new Map([['main', new Map<string, TreeEntry>()]]),
    stargazers: new Set(),
    refs: new Map([['heads/main', { sha: sha1('main', owner, name), type: 'commit' }]]),
  };
  state.repos.set(`${owner}/${name}`, repo);
  return repo;
}

function makePull(
  state: HostingState,
  repo: Repo,
  number: number,
  random: Random,
  at: (daysAgo: number) => string,
): Pull {
  const closed = random.next() < 0.3;
  const merged = closed && random.next() < 0.7;
  const age = 251 - number;
  const login = `${names[random.below(names.length)] ?? 'ada'}-${random.below(100)}`;
  const end = at(age * random.next());
  return {
    id: state.nextId(),
    number,
    title: `Improve the rocket, part ${number}`,
    body: number % 9 === 0 ? null : `What part ${number} does.`,
    state: closed ? 'closed' : 'open',
    login: state.account(login) ? login : seeded.login,
    createdAt: at(age),
    updatedAt: closed ? end : at(age * random.next()),
    closedAt: closed ? end : null,
    mergedAt: merged ? end : null,
    mergeCommitSha: merged ? sha1('merge', String(number)) : null,
    comments: random.below(30),
    head: { ref: `part-${number}`, login: repo.owner, sha: sha1('head', String(number)) },
    base: { ref: 'main', login: repo.owner, sha: sha1('base', String(number)) },
  };
}

function fillTree(repo: Repo): void {
  const tree = repo.branches.get(repo.defaultBranch) ?? new Map<string, TreeEntry>();
  const file = (path: string, text: string) => {
    const data = Buffer.from(text);
    tree.set(path, { kind: 'file', bytes: data, sha: blobSha(data) });
  };
  file('README.md', '# Rocket\n\nIt flies. 🚀\n');
  file('src/index.ts', 'export const thrust = 9000;\n');
  file('docs/a#b?.md', 'A file with an odd name.\n');
  for (let index = 0; index < 20; index++) file(`docs/chapter-${index}.md`, `Chapter ${index}.\n`);
  tree.set('latest', { kind: 'symlink', target: 'src/index.ts', sha: sha1('link') });
  tree.set('dangling', { kind: 'symlink', target: 'nowhere.txt', sha: sha1('dangling') });
  const url = 'https://elsewhere.example.com/engine.git';
  tree.set('engine', { kind: 'submodule', url, hosted: false, sha: sha1('engine') });
}
