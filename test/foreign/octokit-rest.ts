import { createInterface } from 'node:readline';
import { getAuth, oldEra } from '../outside/octokits.js';
import type { Identity } from '../outside/row.js';

// Sends requests with @octokit/rest@16 and its plugin for appliances. Like the other programs in
// this folder, this program reads and prints lines of JSON.

interface CallRequest {
  readonly row: string;
  readonly as: Identity;
  readonly methods: readonly string[];
  readonly parameters: object;
}

const { BASE: base = '' } = process.env;

async function respond({ row, as, methods, parameters }: CallRequest): Promise<object> {
  const method = methods.find((name) => oldEra.routes.has(name));
  if (method === undefined) return { unknown: true };
  const onAppliance = row.includes(' /setup/');
  const auth = getAuth(oldEra, onAppliance ? 'license' : as);
  const client = oldEra.open(onAppliance ? base : `${base}api/v3`, auth);
  try {
    return { data: (await client.call(method, { ...parameters })).data };
  } catch (error) {
    return { error: String(error).slice(0, 300) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const requests = JSON.parse(line) as CallRequest; // `as`: run.ts writes these lines.
  console.log(JSON.stringify(await respond(requests)));
}
