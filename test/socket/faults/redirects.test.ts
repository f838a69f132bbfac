import { createServer } from 'node:https';
import { Agent } from 'undici';
import { listening, serve } from '../../support/server.js';
import { certificate, privateKey } from '../console-certificate.js';
import { connection, fails, fine, ok, onHttp, type Place, testFaults } from './fault-table.js';

const refused = (reason: string) => ({ name: 'RedirectError', code: 'redirect', reason });

/** Creates a server that redirects the first request and responds normally to later requests. */
function moved(status: number, location: string | undefined): () => Promise<Place> {
  return onHttp((seen, response, index) => {
    if (index > 0) return fine(seen, response, index);
    return response.writeHead(status, location === undefined ? {} : { location }).end('moved');
  });
}

/** Starts an HTTPS server that redirects to an HTTP server on the same host. */
async function downward(): Promise<Place> {
  const plain = await serve(fine);
  const requests: unknown[] = [];
  const server = createServer({ cert: certificate, key: privateKey }, (request, response) => {
    requests.push(request.url);
    response.writeHead(302, { location: `http://localhost:${plain.port}/x` }).end();
  });
  const { port } = await listening(server);
  const dispatcher = new Agent({ connect: { ca: certificate } });
  return { origin: `https://localhost:${port}`, requests, options: { dispatcher } };
}

testFaults('redirects', 'a redirect', [
  {
    name: 'in a chain of ten',
    place: onHttp((seen, response, index) =>
      index === 10
        ? fine(seen, response, index)
        : response.writeHead(302, { location: `/${index}` }).end(),
    ),
    ends: { GET: { result: ok, requests: 11 }, POST: { result: ok, requests: 11 } },
  },
  {
    name: 'in a chain of eleven',
    place: onHttp((_seen, response, index) =>
      response.writeHead(302, { location: `/${index}` }).end(),
    ),
    ends: fails(refused('too_many'), { requests: 11 }),
  },
  {
    name: 'with maxRedirects set to 0',
    place: moved(302, '/y'),
    options: { maxRedirects: 0 },
    ends: fails(refused('too_many')),
  },
  {
    name: 'to itself',
    place: onHttp((seen, response) => response.writeHead(307, { location: seen.url }).end()),
    ends: fails(refused('loop')),
  },
  {
    name: 'with a 301 to itself',
    place: onHttp((seen, response) => response.writeHead(301, { location: seen.url }).end()),
    ends: fails(refused('loop')),
  },
  {
    name: 'in a loop of two URLs',
    place: onHttp((seen, response) =>
      response.writeHead(302, { location: seen.url === '/1' ? '/2' : '/1' }).end(),
    ),
    ends: fails(refused('loop'), { requests: 3 }),
  },
  {
    name: 'in a permanent loop of two URLs',
    place: onHttp((seen, response) =>
      response.writeHead(308, { location: seen.url === '/1' ? '/2' : '/1' }).end(),
    ),
    ends: { GET: { error: refused('loop'), requests: 3 } },
  },
  {
    name: 'with a 303 into a loop',
    place: onHttp((seen, response) => response.writeHead(303, { location: seen.url }).end()),
    ends: { POST: { error: refused('loop'), requests: 2 } },
  },
  {
    name: 'without a Location',
    place: moved(302, undefined),
    ends: fails(refused('bad_location')),
  },
  {
    name: 'to an invalid URL',
    place: moved(302, 'http://:0:0'),
    ends: { GET: { error: refused('bad_location') } },
  },
  {
    name: 'to a file: URL',
    place: moved(302, 'file:///etc/passwd'),
    ends: { GET: { error: refused('bad_location') } },
  },
  {
    name: 'to a data: URL',
    place: moved(302, 'data:application/json,[]'),
    ends: { GET: { error: refused('bad_location') } },
  },
  {
    name: 'to a javascript: URL',
    place: moved(302, 'javascript:alert(1)'),
    ends: { GET: { error: refused('bad_location') } },
  },
  {
    name: 'from https to http',
    place: downward,
    ends: fails(refused('insecure')),
  },
  {
    name: 'that would send a body to another origin',
    place: moved(307, 'http://127.0.0.1:1/x'),
    ends: { POST: { error: refused('cross_origin_body') } },
  },
  {
    name: 'to a server that refuses connections',
    place: moved(302, 'http://127.0.0.1:1/x'),
    leadsTo: 'http://127.0.0.1:1',
    options: { retry: false },
    ends: { GET: { error: connection(false, 'ECONNREFUSED') } },
  },
]);
