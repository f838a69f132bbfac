import { createServer, type RequestListener } from 'node:http';
import {
  createFetchHandler,
  createNodeListener,
  type Delivery,
  type ErrorContext,
  type ReceiverOptions,
} from '../../src/webhooks/index.js';
import { listening } from '../support/server.js';
import { signDelivery } from '../support/sign-delivery.js';

/** Secret for the deliveries in these tests. */
export const secret = 'shared secret';
/** Default payload of deliveries. */
export const payload = { ref: 'refs/heads/main', sender: { login: 'mona' } };

type Post = (init: RequestInit) => Promise<Response>;
/** Starts a receiver. @returns A function that sends requests to the receiver. */
type Start = (options: ReceiverOptions) => Promise<Post>;

/** Starts a server and closes it when the test ends. @returns The port on 127.0.0.1. */
export async function listen(listener: RequestListener): Promise<number> {
  const { port } = await listening(createServer(listener));
  return port;
}

/** The two kinds of receivers: one on a socket and one with `Request` and `Response`. */
export const ways: readonly [string, Start][] = [
  [
    'createNodeListener',
    async (options) => {
      const port = await listen(createNodeListener(options));
      return (init) => fetch(`http://127.0.0.1:${port}/hook`, init);
    },
  ],
  [
    'createFetchHandler',
    async (options) => {
      const handle = createFetchHandler(options);
      return (init) => handle(new Request('http://receiver.test/hook', init));
    },
  ],
];

/** Creates a request with a signed delivery. */
export const signed = (id?: string, event = 'push', passed: object = payload) => {
  const { headers, body } = signDelivery({ event, payload: passed, secret, id });
  return { method: 'POST', headers, body };
};

/** Returns a function that starts a receiver and records its deliveries. */
export function receiverBy(start: Start) {
  return async (options: Partial<ReceiverOptions> = {}) => {
    const received: Delivery[] = [];
    const errors: unknown[] = [];
    const contexts: ErrorContext[] = [];
    const post = await start({
      secret,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error, context) => {
        errors.push(error);
        contexts.push(context);
      },
      ...options,
    });
    return { post, received, errors, contexts };
  };
}
