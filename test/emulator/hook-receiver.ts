import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Emulator } from '../../src/testing/index.js';

/** A received delivery. */
interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that receives a test's deliveries. */
export interface HookReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Status of every response. Default: 200. */
  response: number;
  /** True if the receiver sends no responses. Default: false. */
  silent: boolean;
  close(): Promise<void>;
}

/** Starts a receiver on a port of 127.0.0.1. @param tls Certificate and key, if the receiver uses HTTPS. */
export async function openReceiver(tls?: { cert: string; key: string }): Promise<HookReceiver> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      received.push({ method: request.method, headers: request.headers, body });
      if (!receiver.silent) response.writeHead(receiver.response).end();
    });
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: HookReceiver = {
    // `as`: the address of a TCP server is an AddressInfo.
    url: `http${tls ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    response: 200,
    silent: false,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** Waits for all deliveries. Returns each delivery's event with its status or error. */
export async function listDeliveries({ hosting }: Emulator): Promise<string[]> {
  await hosting.deliveriesSettled();
  return hosting.deliveries.map(({ event, status, error }) => `${event} ${status ?? error}`);
}
