import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import type { Random } from '../../src/testing/random.js';

type Maker = (random: Random) => string;

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Values for route parameters. */
export const values: Readonly<Record<string, readonly [string, ...string[]]>> = {
  owner: ['acme', 'acme', 'acme', 'acme', 'mona', 'nobody'],
  repo: ['rocket', 'rocket', 'rocket', 'rocket', 'project-1', 'secret', 'none'],
  org: ['acme', 'acme', 'mona'],
  username: ['mona', 'ada-0', 'acme', 'nobody'],
  number: ['1', '7', '250', '9999'],
  path: ['README.md', 'src/index.ts', 'docs', 'docs/a%23b%3F.md', 'engine', 'dangling', ''],
  ref: ['main', 'heads/main', 'tags/v0.1.0', 'heads/feature/part-1', 'heads', ''],
  sha: ['main', 'feature/part-1'],
  tag: ['v0.1.0', 'v9'],
  type: ['all', 'repos', 'hooks', 'nonsense'],
  client_id: [seeded.clientId, 'x'],
  access_token: [seeded.token, 'x'],
  format: ['tarball', 'zipball', 'x'],
  file: ['1.diff', '7.patch', 'x'],
};

export const credentials: readonly [string | undefined, ...(string | undefined)[]] = [
  `token ${seeded.token}`,
  `token ${seeded.token}`,
  `token ${seeded.token}`,
  `token ${seeded.token}`,
  basic(seeded.login, seeded.password),
  basic(seeded.clientId, seeded.clientSecret),
  basic('license', consoleSeed.licenseMd5),
  'token wrong',
  'Basic ???',
  undefined,
];

export const types = [
  'application/json',
  'application/json',
  'application/json',
  'application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  '',
] as const;
export const accepts = [
  '*/*',
  'application/json',
  'application/vnd.service.v3.diff',
  'application/vnd.service.star+json',
  'application/vnd.service.v3.raw',
  'application/vnd.service.beta+json',
  'application/octet-stream',
  'application/xml',
] as const;

/** Fields for bodies and queries, each with a valid value. */
export const fields: readonly [[string, unknown], ...[string, unknown][]] = [
  ['name', 'web'],
  ['title', 'T'],
  ['body', 'B'],
  ['head', 'feature/part-1'],
  ['base', 'main'],
  ['state', 'closed'],
  ['tag_name', 'v9'],
  ['draft', true],
  ['message', 'M'],
  ['content', 'aGk='],
  ['branch', 'main'],
  ['author', { name: 'A', email: 'a@example.com' }],
  ['ref', 'refs/heads/new'],
  ['sha', '0'.repeat(40)],
  ['force', true],
  ['note', 'N'],
  ['scopes', ['repo']],
  ['client_id', seeded.clientId],
  ['client_secret', seeded.clientSecret],
  ['config', { url: 'ftp://x', content_type: 'json' }],
  ['events', ['push']],
  ['permission', 'push'],
  ['repo_names', ['rocket']],
  ['hub.mode', 'subscribe'],
  ['hub.topic', 'http://x/acme/rocket/events/push'],
  ['hub.callback', 'service://irc?room=x'],
  ['userName', supportSeed.userName],
  ['apiKey', supportSeed.apiKey],
  ['password', supportSeed.password],
  ['campaign', 'Support'],
  ['contact_id', '1'],
  ['tag', 'vip'],
  ['order_by', 'name'],
  ['created_since', '2014-01-01T00:00:00-0300'],
  ['settings', '{"enterprise":{"private_mode":true}}'],
  ['maintenance', '{"enabled":true,"when":"now"}'],
  ['authorized_key', 'ssh-rsa AAAA'],
  ['complete', '1'],
  ['per_page', '100'],
  ['page', '2'],
  ['index', '0'],
  ['count', '5'],
  ['decision', 'approve'],
  ['code', 'x'],
  ['redirect_uri', 'http://127.0.0.1/callback/x'],
];

const oddText: readonly [string, ...string[]] = [
  '',
  ' ',
  '\ud800',
  '\u0000',
  '💥'.repeat(50),
  '../..',
  '%',
  '[',
  '__proto__',
  'constructor',
  '-1',
  '1e999',
  '9'.repeat(40),
  'x'.repeat(5000),
  'javascript:alert(1)',
  'http://[',
];
export const oddPath: readonly [string, ...string[]] = [
  '%',
  '%00',
  '%2F',
  '%ff',
  '..',
  '%2e%2e',
  '',
  '%F0%9F%92%A5',
  'a'.repeat(3000),
];

export function oddValue(random: Random, depth = 0): unknown {
  switch (random.below(depth > 3 ? 5 : 8)) {
    case 0:
      return random.pick(oddText);
    case 1:
      return random.below(1e9) - 5e8;
    case 2:
      return null;
    case 3:
      return random.next() < 0.5;
    case 4:
      return random.next() * 1e300;
    case 5:
      return Array.from({ length: random.below(4) }, () => oddValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [
          random.next() < 0.5 ? random.pick(oddText) : random.pick(fields)[0],
          oddValue(random, depth + 1),
        ]),
      );
  }
}

export const word: Maker = (random) =>
  Array.from({ length: 1 + random.below(8) }, () => String.fromCharCode(33 + random.below(94)))
    .join('')
    .replace(/[#\\^`{|}"<>]/g, '');
