import { createServer } from 'node:https';
import { Agent } from 'undici';
import { listening } from '../../support/server.js';
import { certificate, privateKey } from '../console-certificate.js';
import {
  fine as answerFine,
  connection,
  fails,
  ok,
  onSocket,
  type Place,
  testFaults,
} from './fault-table.js';

/** Creates a server with a self-signed certificate for `localhost`. */
function signedBySelf(host: string, ca?: string): () => Promise<Place> {
  return async () => {
    const requests: string[] = [];
    const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
      const { method = '', url = '', headers } = request;
      requests.push(url);
      request.resume().on('end', () => {
        answerFine({ method, url, headers, body: '' }, response, requests.length - 1);
      });
    });
    const { port } = await listening(server);
    const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
    return { origin: `https://${host}:${port}`, requests, options: { dispatcher } };
  };
}

const noRequests = { requests: 0 };

testFaults('TLS servers', 'a TLS server', [
  {
    name: 'whose certificate is trusted',
    place: signedBySelf('localhost', certificate),
    ends: { GET: { result: ok }, POST: { result: ok } },
  },
  {
    name: 'with a self-signed certificate',
    place: signedBySelf('localhost'),
    ends: fails(connection(false, 'DEPTH_ZERO_SELF_SIGNED_CERT'), noRequests),
  },
  {
    name: 'whose certificate is for another host',
    place: signedBySelf('127.0.0.1', certificate),
    ends: fails(connection(false, 'ERR_TLS_CERT_ALTNAME_INVALID'), noRequests),
  },
  {
    name: "that doesn't speak TLS",
    place: async () => {
      const { origin } = await onSocket(() => undefined)();
      return {
        origin: origin.replace('http:', 'https:'),
        options: { dispatcher: new Agent() },
      };
    },
    call: { timeout: 500 },
    ends: fails({ name: 'TimeoutError', reason: 'total', mayHaveActed: false }),
  },
]);
