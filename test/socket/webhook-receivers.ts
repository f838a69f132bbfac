import { createServer, type RequestListener } from 'node:http';
import {
  createFetchHandler,
  createNodeListener,
  type Delivery,
  type ErrorContext,
  type ReceiverOptions,
  signDelivery,
} from '../../src/webhooks/index.js';
import { listening } from '../support/server.js';

/** What signs the deliveries of these tests. */
export const secret = 'shared secret';
/** What a delivery holds unless said otherwise. */
export const payload = { ref: 'refs/heads/main', sender: { login: 'mona' } };

type Post = (init: RequestInit) => Promise<Response>;
/** Sets a receiver up. @returns what sends to it. */
type Start = (options: ReceiverOptions) => Promise<Post>;

/** A server that ends with its test. @returns its port on 127.0.0.1. */
export async function listen(listener: RequestListener): Promise<number> {
  const { port } = await listening(createServer(listener));
  return port;
}

/** Both ways to receive: over a real socket, and by `Request` and `Response`. */
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

/** A delivery as it is sent. */
export const signed = (id?: string, event = 'push', given: object = payload) => {
  const { headers, body } = signDelivery({ event, payload: given, secret, id });
  return { method: 'POST', headers, body };
};

/** A receiver that keeps what it is given, set up in one of the {@link ways}. */
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
