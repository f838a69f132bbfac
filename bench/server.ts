// The server for all measurements, in a separate process. All bodies are created in advance, so the
// clients are the bottleneck. Sends its port to the process that forked it.
import { createServer } from 'node:http';
import { bodies } from './data.js';
import { sink } from './sink.js';

const users = bodies.users();
const repos = bodies.repos();
const pulls = bodies.pulls();
const small = bodies.small();
/** A string, because Node.js writes a string together with the headers, but a Buffer separately. */
const smallText = small.toString('latin1');

/** Headers that real responses contain. */
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'x-ratelimit-limit': '5000000',
  'x-ratelimit-remaining': '4999999',
  'x-ratelimit-reset': '4102444800',
  etag: '"5d41402abc4b2a76b9719d911017c592"',
  'x-oauth-scopes': 'repo',
  'cache-control': 'private, max-age=60',
};
const smallHeaders = { ...headers, 'content-length': small.length };

function pageBody(path: string): Buffer {
  if (path.endsWith('/pulls')) return pulls;
  return path.endsWith('/starred') ? repos : users;
}

// Lists have 20 pages under `/20/…`. Under `/40-50/…`, lists have 40 pages, and each page takes 50 ms.
const server = createServer(
  { keepAliveTimeout: 600_000, requestTimeout: 0 },
  (request, response) => {
    if (request.url?.includes('/authenticate')) {
      const session = { success: true, access_token: 'x', expires: '2099-01-01T00:00:00+0000' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session));
      return;
    }
    if (request.method === 'POST') {
      sink(request, response).catch((error: unknown) => response.destroy(new Error(String(error))));
      return;
    }
    // These requests are handled before the URL is parsed, so the server isn't the bottleneck.
    if (request.url?.includes('/teams/')) {
      response.writeHead(200, smallHeaders).end(smallText, 'latin1');
      return;
    }
    if (request.url?.includes('/contact')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"success":true,"total":1,"items":[{"id":1}]}');
      return;
    }
    if (request.url?.startsWith('/setup/api/maintenance')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"status":"off","scheduled_time":null,"connection_services":[]}');
      return;
    }
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const [, last = '1', latency] = /^\/(\d+)(?:-(\d+))?\//.exec(url.pathname) ?? [];
    const page = Number(url.searchParams.get('page') ?? 1);
    const body = pageBody(url.pathname);
    const respond = (): void => {
      const own: Record<string, string | number> = { ...headers, 'content-length': body.length };
      if (page < Number(last)) {
        url.searchParams.set('page', String(page + 1));
        const next = url.href;
        url.searchParams.set('page', last);
        own.link = `<${next}>; rel="next", <${url.href}>; rel="last"`;
      }
      response.writeHead(200, own).end(body);
    };
    if (latency === undefined) respond();
    else setTimeout(respond, Number(latency));
  },
);

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.({ port: address?.port });
});
process.on('disconnect', () => process.exit());
