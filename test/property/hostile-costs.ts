/**
 * Measures the cost of hostile responses in steps. A step is one execution of a source block, as
 * counted by V8's precise coverage. Prints one line of JSON.
 */
import { createHash } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { PullRequest, User } from '../../src/hosting/index.js';
import { maskSecrets, revealsSecret, showText, showUrl } from '../../src/masks/secrets.js';
import { defineList, findIssues } from '../../src/schema/model.js';
import { decodeBody, parseCodings } from '../../src/transport/http/content-coding.js';
import { parseLinkHeader } from '../../src/transport/http/headers.js';
import { classify } from '../../src/transport/response/classify.js';
import { ResponseDetails } from '../../src/transport/response/response-details.js';

const secrets = ['pa"ss\\word-1', 'aaaaaaaaaaa1', 'pl4nted+/=%'];

/** Creates and prints the error for a response with a body. */
function refused(body: unknown): void {
  const response = new ResponseDetails({
    status: 422,
    statusText: 'no',
    headers: {},
    url: 'https://a.example/x',
    fromCache: false,
    attempts: 1,
    credentialParameters: new Set(),
    secrets,
  });
  const error = classify(
    {
      failed: false,
      status: 422,
      statusText: 'no',
      headers: {},
      body: [Buffer.from(JSON.stringify(body))],
    },
    {
      request: { operation: 'x', method: 'GET', url: 'https://a.example/x' },
      response,
      secrets,
      accept: '',
      mayHaveActed: false,
      now: 0,
    },
  );
  JSON.stringify([error.message, error.errors, error.body]);
}

const pulls = defineList(PullRequest);
const users = defineList(User);
const user = { login: 'jo', id: 1, avatar_url: 'a', gravatar_id: null, url: 'u' };
const times = (size: number, text: string) => text.repeat(size);
const list = <T>(length: number, item: T): T[] => Array<T>(length).fill(item);

/** Creates deterministic Base64URL text that decodes to random bytes. */
const noise = (length: number) =>
  createHash('shake256', { outputLength: length }).digest('base64url').slice(0, length);
/**
 * Each entry processes hostile input of any size. The cost must grow at most linearly with the
 * size.
 */
const attacks: Readonly<Record<string, (size: number) => unknown>> = {
  'an error list': (size) => refused({ errors: list(size, { field: 'a"b', code: 'x\\y' }) }),
  'an error list of strings': (size) => refused({ errors: list(size, secrets[0]) }),
  'a long error message': (size) =>
    refused({ message: times(size, 'pa"ss\\word-1 &#65;%41\\u0041+') }),
  'invalid items': (size) => findIssues(pulls, list(size, { number: 'x' })),
  'an invalid item after valid ones': (size) => findIssues(users, [...list(size, user), 7]),
  'codings in a header': (size) =>
    decodeBody(Buffer.from('x'), parseCodings(times(size, 'gzip,')), 100).catch(() => undefined),
  'codings without an effect': (size) => parseCodings(times(size, 'identity, ,')),
  'links in a header': (size) =>
    parseLinkHeader(times(size, '<https://a/?p=1>; rel="a next";x=y,')),
  'an unclosed quote in a Link header': (size) =>
    parseLinkHeader(`<a>; rel="${times(size, '\\"')}`),
  'unclosed brackets in a Link header': (size) => parseLinkHeader(times(size, '<')),
  'parameters in a Link header': (size) => parseLinkHeader(`<a>${times(size, '; a=b ;;')}`),
  'a repeated secret': (size) => maskSecrets(times(size, `${secrets[1]} `), secrets),
  'prefixes of secrets': (size) => maskSecrets(times(size, 'a'), secrets),
  'double-encoded characters': (size) => maskSecrets(times(size, '%2525'), secrets),
  'nested escapes': (size) => maskSecrets(times(size, '\\\\u005c'), secrets),
  'unterminated entities': (size) => maskSecrets(times(size, '&#x'), secrets),
  'a URL with nested encodings': (size) =>
    revealsSecret(`https://a/?b=${times(size, '%2525&amp;amp;&#37;41%5Cu0026lt;')}`, secrets),
  'a text of spaces': (size) => showText(times(size, ' \u009b'), secrets),
  'a URL of random Base64': (size) => revealsSecret(`https://a/${noise(500 * size)}`, secrets),
  'a URL of slashes': (size) =>
    showUrl(`https://a/${times(size, '/')}?${times(size, '&a=b')}`, secrets),
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

async function stepsOf(attack: () => unknown): Promise<number> {
  await session.post('Profiler.takePreciseCoverage');
  await attack();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const { url, functions } of result) {
    if (!/\/src\/|\/zod\//.test(url) && url !== '') continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}

const costs: Record<string, readonly [number, number]> = {};
for (const [name, attack] of Object.entries(attacks)) {
  await attack(10); // Warm-up, because models and masks are created only once.
  costs[name] = [await stepsOf(() => attack(2000)), await stepsOf(() => attack(4000))];
}
session.disconnect();
process.stdout.write(JSON.stringify(costs));
