import { callEndpoints, listReadings } from '../../src/doctor/endpoints.js';
import { Samples } from '../../src/doctor/samples.js';
import type { RequestPolicy } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createClients } from './client-methods.js';

/** Returns the seeded emulator's JSON responses to GET requests, by operation. */
export async function readExamples(): Promise<ReadonlyMap<string, unknown>> {
  const examples = new Map<string, unknown>();
  const keep: RequestPolicy = (next) => async (request, context) => {
    const response = await next(request, context);
    const body = !response.failed && response.status === 200 ? response.body : undefined;
    // An empty list is useless as an example.
    if (request.method === 'GET' && Buffer.isBuffer(body) && body.length > '[]'.length) {
      examples.set(context.operation, JSON.parse(body.toString(), shorten));
    }
    return response;
  };
  const dispatcher = createEmulator({ clock: '2014-06-01T12:00:00Z' }).dispatcher();
  const samples = new Samples();
  samples.useRepository(seeded.owner, seeded.repo, 'main');
  for (const client of Object.values(createClients({ dispatcher, policies: [keep] }))) {
    await callEndpoints(listReadings(client), samples, () => undefined);
  }
  return examples;
}

/** Keeps the first item of a list of objects, and the first three items of any other list. */
function shorten(_name: string, value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, typeof value[0] === 'object' ? 1 : 3) : value;
}
