import { callEndpoints, listReadings } from '../../src/doctor/endpoints.js';
import { Samples } from '../../src/doctor/samples.js';
import type { HookRequest, HookResponse } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createClients } from './client-methods.js';

/** Returns the seeded emulator's JSON responses to GET requests, by operation. */
export async function readExamples(): Promise<ReadonlyMap<string, unknown>> {
  const examples = new Map<string, unknown>();
  let body: Buffer[] = [];
  const dispatcher = createEmulator({ clock: '2014-06-01T12:00:00Z' })
    .dispatcher()
    .compose((dispatch) => (options, handler) => {
      body = [];
      return dispatch(options, {
        onRequestStart: (...values) => handler.onRequestStart?.(...values),
        onResponseStart: (...values) => handler.onResponseStart?.(...values),
        onResponseData: (controller, chunk) => {
          body.push(chunk);
          handler.onResponseData?.(controller, chunk);
        },
        onResponseEnd: (...values) => handler.onResponseEnd?.(...values),
        onResponseError: (...values) => handler.onResponseError?.(...values),
      });
    });
  const afterResponse = ({ method, operation }: HookRequest, { status }: HookResponse) => {
    const text = Buffer.concat(body).toString();
    // An empty list is useless as an example.
    if (method !== 'GET' || status !== 200 || text.length <= '[]'.length) return;
    examples.set(operation, JSON.parse(text, shorten));
  };
  const samples = new Samples();
  samples.useRepository(seeded.owner, seeded.repo, 'main');
  for (const client of Object.values(createClients({ dispatcher, hooks: { afterResponse } }))) {
    await callEndpoints(listReadings(client), samples, () => undefined);
  }
  return examples;
}

/** Keeps the first item of a list of objects, and the first three items of any other list. */
function shorten(_name: string, value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, typeof value[0] === 'object' ? 1 : 3) : value;
}
