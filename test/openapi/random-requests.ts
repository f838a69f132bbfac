// Sends random requests through Prism's validating proxy and reports violations. The requests
// match the API's OpenAPI document. Arguments: `random-requests.ts <api> <url of Prism> <number>
// <folder with json-schema-faker>`.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Random } from '../../src/testing/random.js';
import { type DocumentedOperation, readCredentials, readOperations } from './documents.js';
import { seedInputs } from './seed.js';

/** The part of json-schema-faker that this script uses. */
interface Faker {
  option(options: Readonly<Record<string, unknown>>): void;
  generate(schema: object): unknown;
}

const [api = '', url = '', number = '', folder = ''] = process.argv.slice(2);
const random = new Random(38);
// `as`: the package is installed only for this run, so the compiler doesn't know its types.
const { JSONSchemaFaker: faker } = createRequire(join(folder, 'package.json'))(
  'json-schema-faker',
) as { readonly JSONSchemaFaker: Faker };
faker.option({ random: () => random.next(), optionalsProbability: 0.5 });

/** Returns a value from the seed in nine out of ten cases, so most requests find a record. */
function chooseValue(name: string, schema: object): string {
  const known = seedInputs[name];
  const value = known !== undefined && random.next() < 0.9 ? known : faker.generate(schema);
  return String(value);
}

function createUrl(
  { path, parameters }: DocumentedOperation,
  query: Readonly<Record<string, string>>,
): string {
  const search = new URLSearchParams(query);
  let target = path;
  for (const { name, in: place, required, schema } of parameters) {
    if (!required && random.next() < 0.5) continue;
    const value = chooseValue(name, schema);
    // URL parsers remove segments that consist of dots.
    const segment = encodeURIComponent(/^\.{0,2}$/.test(value) ? 'x' : value);
    if (place === 'path') target = target.replace(`{${name}}`, segment);
    else search.set(name, value);
  }
  return `${url}${target}?${search}`;
}

function createBody({ requestBody }: DocumentedOperation) {
  const [type = '', { schema = {} } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === '') return {};
  if (type === 'application/octet-stream')
    return { body: 'data', headers: { 'content-type': type } };
  const value = faker.generate(schema);
  if (type === 'application/json')
    return { body: JSON.stringify(value), headers: { 'content-type': type } };
  const fields = Object.entries(Object(value)).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((each): [string, string] => [
      name,
      String(each),
    ]),
  );
  if (type === 'multipart/form-data') {
    const body = new FormData();
    for (const [name, text] of fields) body.append(name, text);
    return { body };
  }
  // Prism doesn't decode `+` as a space.
  const body = String(new URLSearchParams(fields)).replaceAll('+', '%20');
  return { body, headers: { 'content-type': type } };
}

// These operations replace the license, which would invalidate the credentials.
const replacing = new Set(['start', 'upgrade']);
const operations = readOperations(api).filter(({ operationId }) => !replacing.has(operationId));
const credentials = await readCredentials(api, url);
const statuses = new Map<number, number>();
let violations = 0;
for (let sent = 0; sent < Number(number); sent++) {
  const operation = operations[random.below(operations.length)];
  if (!operation) throw new Error(`${api}: no operations`);
  const { headers, query } = credentials(operation);
  const content = createBody(operation);
  const target = createUrl(operation, query);
  const response = await fetch(target, {
    method: operation.method.toUpperCase(),
    redirect: 'manual',
    ...content,
    headers: { ...headers, ...content.headers },
  });
  const text = await response.text();
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  if (!text.includes('stoplight.io/prism')) continue;
  violations++;
  console.log(
    `${operation.operationId}: ${operation.method} ${target} ${content.body ?? ''}\n  ${text}`,
  );
}
const summary = [...statuses].map(([status, times]) => `${times} × ${status}`).join(', ');
console.log(`${api}: ${number} random requests (${summary}), ${violations} violations`);
process.exitCode = violations > 0 ? 1 : 0;
