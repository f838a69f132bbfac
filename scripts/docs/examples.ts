import { Readable } from 'node:stream';
import {
  type HookRequest,
  type HookResponse,
  InvalidRequestError,
  isTriforgeError,
} from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { clientMethods, createClients } from './client-methods.js';
import { Samples } from './samples.js';

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
  const hooks = { afterResponse };
  const clients: Readonly<Record<string, object>> = createClients({ dispatcher, hooks });
  const reads = clientMethods().filter(({ endpoint }) => endpoint?.method === 'GET');
  const done = new Set<string>();
  // The first pass collects inputs that the second pass needs.
  for (const { name, endpoint } of [...reads, ...reads]) {
    if (done.has(name)) continue;
    const [client = '', ...path] = name.split('.');
    const method = path.pop() ?? '';
    const target = path.reduce<unknown>((at, key) => Reflect.get(Object(at), key), clients[client]);
    const call = (input: object) =>
      Reflect.apply(Reflect.get(Object(target), method), target, [input]);
    if (await callOnce(endpoint?.operation ?? '', call, samples)) done.add(name);
  }
  return examples;
}

/**
 * Calls a method. Adds each input that the client reports as missing. Returns false if there is no
 * sample for an input.
 */
async function callOnce(operation: string, call: (input: object) => unknown, samples: Samples) {
  const input: Record<string, unknown> = {};
  for (;;) {
    try {
      const called = call({ ...input });
      const isList = typeof called === 'object' && called !== null && 'first' in called;
      const first: unknown = isList && Reflect.get(called, 'first');
      const result: unknown = await (typeof first === 'function' ? first.call(called) : called);
      if (result instanceof Readable) result.destroy();
      samples.learnFrom(operation, result);
      return true;
    } catch (error) {
      if (!isTriforgeError(error)) throw error;
      const field = error instanceof InvalidRequestError ? error.field : undefined;
      if (field === undefined) return true;
      const sample = samples.of(operation, field);
      if (sample === undefined || field in input) return false;
      input[field] = sample;
    }
  }
}

/** Keeps the first item of a list of objects, and the first three items of any other list. */
function shorten(_name: string, value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, typeof value[0] === 'object' ? 1 : 3) : value;
}
