import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createRecorder } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { form, json, readLines, record, recordingFolder, type Sent } from './recording-folder.js';

// Tests which values a recorder masks. Uses a real server and undici's `Agent`.

/**
 * In the request, a parameter's name or the path marks the value as a secret. The response repeats
 * the value without a name.
 */
test.each<[string, Sent, string]>([
  ['a query', { path: '/a?x=1&access_token=hidden word&y' }, '/a?x=1&access_token=***&y'],
  [
    'a parameter with an encoded name',
    { path: '/a?access%5Ftoken=hidden%20word' },
    '/a?access%5Ftoken=***',
  ],
  ['a query with a question mark', { path: '/a?x=?&token=hidden+word' }, '/a?x=?&token=***'],
  ['a path', { path: '/applications/1/tokens/hidden%20word?x' }, '/applications/1/tokens/***?x'],
  [
    'a query whose secret starts with a question mark',
    { path: '/a?x=?&token=?hidden-one' },
    '/a?x=?&token=***',
  ],
])('a recorder masks a secret in %s and its echo', async (_name, sent, target) => {
  const path = sent.path?.replace(' ', '%20') ?? '';
  const { lines, server } = await record([
    [{ path }, { body: path.endsWith('?hidden-one') ? '?hidden-one' : 'hidden word' }],
  ]);
  expect(lines[0]?.request.url).toBe(server.origin + target);
  expect(lines[0]?.response.text).toBe('***');
});

const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

test.each<[string, Sent, string, string]>([
  ['masks a token', { headers: { authorization: 'token long-secret' } }, '(long-secret)', '(***)'],
  [
    'keeps a token inside a word',
    { headers: { authorization: 'token secretly' } },
    'xsecretly secretlyx',
    'xsecretly secretlyx',
  ],
  [
    'masks a token next to punctuation',
    { headers: { authorization: 'token secretly' } },
    '-secretly.secretly!',
    '-***.***!',
  ],
  [
    'masks a Basic password',
    { headers: { authorization: basic('me:pass:word1') } },
    `pass:word1 ${basic('me:pass:word1')} me`,
    '*** Basic *** me',
  ],
  [
    'masks the password of the lowercase scheme `basic`',
    { headers: { authorization: basic('me:password1').replace('B', 'b') } },
    'password1',
    '***',
  ],
  [
    'keeps a password after the scheme Bearer',
    { headers: { authorization: basic('me:password1').replace('Basic', 'Bearer') } },
    'password1',
    'password1',
  ],
  ['masks a cookie', { headers: { cookie: 'session=1; x' } }, 'session=1; x', '***'],
  [
    'masks a header with a secret name',
    { headers: { 'x-api-key': 'a long key' } },
    'a long key',
    '***',
  ],
  [
    'keeps a header with a non-secret name',
    { headers: { 'x-word': 'a long word' } },
    'a long word',
    'a long word',
  ],
  [
    'keeps a secret of seven characters',
    { headers: { 'x-api-key': 'sevench' } },
    'sevench',
    'sevench',
  ],
  [
    'masks a secret of eight characters',
    { headers: { 'x-api-key': 'eightchr' } },
    'eightchr',
    '***',
  ],
  [
    'masks a form field with a secret name',
    { method: 'POST', headers: form, body: 'a=1&password=two+words%21&b' },
    'two words! two+words%21',
    '*** ***',
  ],
  [
    'masks a JSON member with a secret name',
    { method: 'POST', headers: json, body: '{"password": "two \\"words\\""}' },
    'two "words" {"two \\"words\\""}',
    '*** {"***"}',
  ],
  [
    'masks a percent-encoded secret',
    { method: 'POST', headers: json, body: '{"token":"a/b c+d="}' },
    'a%2Fb%20c%2Bd%3D a%2Fb+c%2Bd%3D',
    '*** ***',
  ],
  [
    'masks the longer of two overlapping secrets',
    { method: 'POST', headers: json, body: '{"token":"abcdefgh","secret":"abcdefgh-ijkl"}' },
    'abcdefgh-ijkl',
    '***',
  ],
  [
    "keeps a secret that a URL can't encode",
    { method: 'POST', headers: json, body: '{"token":"abcdefgh\\ud800"}' },
    'abcdefgh',
    'abcdefgh',
  ],
  [
    'keeps a password after a scheme that ends in Basic',
    { headers: { authorization: basic('me:password1').replace('B', 'NotB') } },
    'password1',
    'password1',
  ],
  [
    'masks a Basic credential without a colon',
    { headers: { authorization: basic('nothing-else') } },
    'nothing-else',
    '***',
  ],
  [
    'keeps values with non-secret names',
    { path: '/?page=long-word', method: 'POST', headers: form, body: 'a=other-long-word' },
    'long-word other-long-word',
    'long-word other-long-word',
  ],
])('in a response, a recorder %s', async (_name, sent, body, wanted) => {
  const { lines, got } = await record([[sent, { body }]]);
  expect(lines[0]?.response.text).toBe(wanted);
  expect(got[0]?.toString(), 'the client receives the whole body').toBe(body);
});

test('a recorder masks a secret in a Location header that contains only a query', async () => {
  const { lines } = await record([
    [{}, { status: 302, headers: { location: '?access_token=abc&y=z' } }],
  ]);
  expect(lines[0]?.response.headers.location).toBe('?access_token=***&y=z');
});

test('a recorder masks values of the `secrets` option in URLs and bodies', async () => {
  const to = await recordingFolder();
  const server = await serve((_seen, response) => {
    response.setHeader('content-type', 'text/plain');
    response.end('some words');
  });
  const recorder = createRecorder({ to, secrets: ['some words'] });
  onTestFinished(() => recorder.close());
  const { body } = await request(`${server.origin}/some%20words?a=some+words`, {
    dispatcher: recorder,
  });
  expect(await body.text()).toBe('some words');
  const url = `${server.origin}/***?a=***`;
  expect(await readLines(to)).toMatchObject([{ request: { url }, response: { text: '***' } }]);
});
