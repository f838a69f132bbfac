import { describe, expect, test } from 'vitest';
import type {
  CreateFile,
  CreateGitRef,
  CreateHook,
  CreatePull,
  HookEvent,
  HostingAuth,
} from '../../../src/hosting/index.js';
import { basic, here, sha, token } from '../../contract/case.js';
import { rejectionOf } from '../../support/client.js';
import { callback, clientWith, type Refused, topic } from './refused.js';

const file = { ...here, path: 'a.md', message: 'm' };
const to = { url: 'https://hooks.example.com' };

type Case = [operation: string, field: string, title: string, call: Refused, auth?: HostingAuth];

// `as` in this file: callers without types can pass anything.
const people: Case[] = ['mona', 7, { name: 'm' }, { email: 'e' }, { name: 'm', email: '' }].map(
  (person) => [
    'contents.create',
    'committer',
    JSON.stringify(person),
    (c) =>
      c.contents.create({
        ...file,
        content: { text: '' },
        committer: person as CreateFile['committer'],
      }),
  ],
);
const contents: Case[] = [
  null,
  7,
  {},
  { base64: 7 },
  { base64: 'YQ' },
  { base64: '!!!!YQ==' },
  { base64: 'YQ==!!!!' },
  { base64: 'YQ==', text: 'a' },
].map((content) => [
  'contents.update',
  'content',
  JSON.stringify(content),
  (c) => c.contents.update({ ...file, sha, content: content as CreateFile['content'] }),
]);
const events: Case[] = ['push', ['push', 7], [null]].map((given) => [
  'hooks.create',
  'events',
  JSON.stringify(given),
  (c) => c.hooks.create({ ...here, name: 'web', config: to, events: given as HookEvent[] }),
]);
const configs: Case[] = [null, 'url', [], { url: {} }].map((config) => [
  'hooks.create',
  'config',
  JSON.stringify(config),
  (c) => c.hooks.create({ ...here, name: 'irc', config: config as CreateHook['config'] }),
]);
const refs: Case[] = ['main', 'xrefs/heads/main', 'my/heads/main', 'refs/main'].map((ref) => [
  'gitRefs.create',
  'ref',
  ref,
  // `as`: callers without types can pass anything.
  (c) => c.gitRefs.create({ ...here, ref: ref as CreateGitRef['ref'], sha }),
]);
const names: Case[] = [
  // @ts-expect-error a caller without types
  ['gitRefs.get', 'ref', 'main', (c) => c.gitRefs.get({ ...here, ref: 'main' })],
  // @ts-expect-error a caller without types
  ['gitRefs.update', 'ref', 'main', (c) => c.gitRefs.update({ ...here, ref: 'main', sha })],
  // @ts-expect-error a caller without types
  ['gitRefs.delete', 'ref', 'main', (c) => c.gitRefs.delete({ ...here, ref: 'main' })],
];
const topics: Case[] = [
  'https://code.example.com/x/mona/sandbox/events/push',
  'https://other.example.com/x/mona/sandbox/events/push',
  'xhttps://code.example.com/mona/sandbox/events/push',
  'ftp://code.example.com/mona/sandbox/events/push',
  'https://code.example.com/mona/sandbox/events/push?x=1',
  '/mona/sandbox/events/push',
].map((odd) => [
  'hub.subscribe',
  'hub.topic',
  odd,
  (c) => c.hub.subscribe({ 'hub.topic': odd, 'hub.callback': callback }),
  basic,
]);
const callbacks: Case[] = ['hooks.example.com', 'ftp://hooks.example.com', 'service://'].map(
  (odd) => [
    'hub.subscribe',
    'hub.callback',
    odd,
    (c) => c.hub.subscribe({ 'hub.topic': topic, 'hub.callback': odd }),
    basic,
  ],
);
const pulls: Case[] = [{}, { title: 't', issue: 1 }, { body: 'b', issue: 1 }].map((given) => [
  'pulls.create',
  'issue' in given ? 'issue' : 'title',
  JSON.stringify(given),
  // `as`: callers without types can pass anything.
  (c) => c.pulls.create({ ...here, head: 'h', base: 'b', ...given } as CreatePull),
]);

const cases = [people, contents, events, configs, refs, names, topics, callbacks, pulls].flat();

describe('InvalidRequestError', () => {
  test.each(cases)(
    'the error names the method %s and the field %s if the input is %s',
    async (operation, field, _title, call, auth = token) => {
      const error = await rejectionOf(call(clientWith(auth)));
      expect(error).toMatchObject({ code: 'invalid_request', field });
      expect(String(error)).toContain(`${operation}: `);
    },
  );
});

describe('a hosting method', () => {
  const taken: readonly [string, Refused, HostingAuth?][] = [
    ['a branch named heads/x', (c) => c.gitRefs.get({ ...here, ref: 'heads/heads/x' })],
    ['the ref stash', (c) => c.gitRefs.get({ ...here, ref: 'stash' })],
    [
      'content of exactly 1 MiB',
      (c) => c.contents.create({ ...file, content: Buffer.alloc(1_048_576) }),
    ],
    [
      'Base64 with line breaks',
      (c) => c.contents.create({ ...file, content: { base64: 'YWFh\r\nYQ==\n' } }),
    ],
    [
      'a hook with a null setting',
      (c) => c.hooks.create({ ...here, name: 'irc', config: { a: null } }),
    ],
    ...(['0', '1'] as const).map((insecure_ssl): [string, Refused] => [
      `a hook whose insecure_ssl is ${insecure_ssl}`,
      (c) => c.hooks.create({ ...here, name: 'web', config: { ...to, insecure_ssl } }),
    ]),
    [
      'a hook that sends forms',
      (c) => c.hooks.create({ ...here, name: 'web', config: { ...to, content_type: 'form' } }),
    ],
    [
      'a pull request from an issue',
      (c) => c.pulls.create({ ...here, head: 'h', base: 'b', issue: 1 }),
    ],
    [
      "another server's topic",
      (c) =>
        c.hub.subscribe({
          'hub.topic': 'https://other.example.com/mona/sandbox/events/push',
          'hub.callback': callback,
        }),
      basic,
    ],
    [
      'a service callback',
      (c) => c.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'service://irc?room=x' }),
      basic,
    ],
  ];
  test.each(taken)('accepts %s', async (_title, call, auth = token) => {
    expect(await rejectionOf(call(clientWith(auth)))).toMatchObject({ code: 'connection' });
  });
});
