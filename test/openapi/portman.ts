import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleSeed, seeded } from '../../src/testing/index.js';
import { readCredentials, readOperations } from './documents.js';
import { seedInputs } from './seed.js';

/** Operations that need an application's credentials, a value with slashes, or a browser. */
const excluded = ['applications.checkToken', 'gitRefs.get', 'oauth.authorizeUrl'];

const checks = ['statusSuccess', 'contentType', 'jsonBody', 'schemaValidation', 'headersPresent'];

/**
 * Writes Portman's settings. With these settings, Portman calls each GET with values from the emulator's seed, and
 * checks the response's status, headers and schema. @returns Portman's command-line arguments.
 */
export async function configurePortman(
  api: string,
  url: string,
  folder: string,
): Promise<readonly string[]> {
  // Portman treats even a documented 404 as a failure.
  const operations = readOperations(api).filter(
    ({ method, responses }) => method === 'get' && !('404' in responses),
  );
  const credentials = await readCredentials(api, url);
  const ids = new Map<string, unknown>();
  for (const operation of operations) {
    if (/\{(?!owner|repo|org)/.test(operation.path)) continue;
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => String(seedInputs[name]));
    const { headers, query } = credentials(operation);
    const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers });
    const value: unknown = await response.json().catch(() => undefined);
    if (Array.isArray(value))
      ids.set(operation.path.replace('/orgs/{org}', ''), Object(value[0]).id);
  }
  const findValue = (path: string, name: string) =>
    name === 'id' ? ids.get(path.replace(/\/\{id\}.*/, '')) : seedInputs[name];
  const [first] = operations;
  if (!first) throw new Error(`${api}: no operations`);
  const { query } = credentials(first);
  const [username, password] =
    api === 'console' ? ['license', consoleSeed.licenseMd5] : [seeded.login, seeded.password];
  const overwriteRequestSecurity =
    api === 'support'
      ? { apiKey: { key: 'access_token', value: query.access_token, in: 'query' } }
      : { basic: { username, password } };
  const overwrites = operations.map(({ method, path, parameters }) => ({
    openApiOperation: `${method.toUpperCase()}::${path}`,
    overwriteRequestSecurity,
    overwriteRequestPathVariables: parameters
      .filter((each) => each.in === 'path')
      .map(({ name }) => ({ key: name, value: String(findValue(path, name)), overwrite: true })),
    overwriteRequestQueryParams: parameters
      .filter((each) => each.in === 'query' && each.required)
      .map(({ name }) => ({ key: name, value: String(seedInputs[name]), overwrite: true })),
  }));
  const contractTests = checks.map((check) => ({
    openApiOperation: 'GET::/*',
    [check]: { enabled: true },
  }));
  const config = { version: 1, tests: { contractTests }, overwrites };
  const unknown = readOperations(api).filter(
    ({ path, parameters, responses }) =>
      '404' in responses ||
      parameters.some((each) => each.in === 'path' && findValue(path, each.name) === undefined),
  );
  const operationIds = [...excluded, ...unknown.map(({ operationId }) => operationId)];
  console.log(`${api}: not called by Portman: ${operationIds.join(', ')}`);
  const filter = { methods: ['post', 'put', 'patch', 'delete'], operationIds };
  const file = (name: string) => join(folder, `${api}-${name}.json`);
  writeFileSync(file('portman'), JSON.stringify(config));
  writeFileSync(file('filter'), JSON.stringify(filter));
  return [
    ...['--local', join(process.cwd(), 'openapi', `${api}.json`), '--baseUrl', url],
    ...['--portmanConfigFile', file('portman'), '--filterFile', file('filter')],
    ...['--output', file('collection'), '--runNewman'],
  ];
}
