// Sends the exchanges that `keep-exchanges.ts` saved through Prism's validating proxy, and
// reports violations: `judge-exchanges.ts <api> <url of Prism> <port> <folder>`. Prism forwards
// each request to the port, where this script returns the emulator's response.
import { createReadStream, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Exchange } from './keep-exchanges.js';

const Violations = z.array(
  z.object({ location: z.array(z.string()), severity: z.string(), message: z.string() }),
);

const [api = '', url = '', port = '', folder = ''] = process.argv.slice(2);
const prefixes: Readonly<Record<string, RegExp>> = {
  hosting: /^\/api\/v3(?=\/)/,
  support: /^\/api\/v2(?=\/)/,
  console: /^(?=\/setup\/)/,
};
const prefix = prefixes[api] ?? /$./;
/** Headers about the connection or the encoded body. */
const connectionHeaders = /^(?:connection|content-length|date|host|keep-alive|transfer-encoding)$/;

function selectHeaders(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !connectionHeaders.test(name)),
  );
}

/**
 * Returns whether the document describes the exchange and Prism can forward the exchange unchanged.
 * Prism rejects HEAD requests and follows redirects itself. The documents omit diffs, patches,
 * ranges, JSON as `text/html` (which only older appliances send), and updates of support records by
 * `id` in the form.
 */
function isJudged(exchange: Exchange): boolean {
  const { method, target, requestHeaders, requestBody = '', status, headers } = exchange;
  const { accept = '', range } = requestHeaders;
  if (!prefix.test(target) || /diff|patch/.test(accept) || range !== undefined) return false;
  if (api === 'console' && headers['content-type'] === 'text/html') return false;
  const form = new URLSearchParams(Buffer.from(requestBody, 'base64').toString());
  if (api === 'support' && form.has('id')) return false;
  return method !== 'HEAD' && ![301, 302, 307].includes(status);
}

/**
 * Reads the exchanges that the document can describe. Streams the files, which can exceed the
 * maximum length of a string.
 */
async function* readExchanges(): AsyncGenerator<Exchange> {
  for (const name of readdirSync(folder)) {
    for await (const line of createInterface(createReadStream(join(folder, name)))) {
      // `as`: `keep-exchanges.ts` writes this type.
      const exchange = JSON.parse(line) as Exchange;
      if (isJudged(exchange)) yield exchange;
    }
  }
}

/**
 * Returns the violations of one exchange. Requests are judged only if a triforge client sent them,
 * because the emulator accepts more than the document allows. Paths that are not in the document,
 * such as custom routes and references with slashes, are not judged.
 */
async function judge(exchange: Exchange): Promise<string[] | undefined> {
  current = exchange;
  const { method, target, requestHeaders, requestBody, status } = exchange;
  const { 'content-type': type, 'user-agent': agent = '', ...others } = requestHeaders;
  const response = await fetch(url + target.replace(prefix, ''), {
    method,
    redirect: 'manual',
    headers: selectHeaders(requestBody === undefined ? others : requestHeaders),
    body: requestBody === undefined ? null : Buffer.from(requestBody, 'base64'),
  });
  await response.arrayBuffer();
  const found = Violations.parse(JSON.parse(response.headers.get('sl-violations') ?? '[]'));
  const isUnknown = found.some(
    ({ location, message }) => message === 'Selected route not found' || location[1] === 'path',
  );
  if (isUnknown) return undefined;
  // Prism can't judge a body that the emulator didn't record.
  const isSent = agent.startsWith('triforge/') && (type === undefined || requestBody !== undefined);
  // Prism rejects malformed bodies, which some tests send.
  if (response.status !== status && !isSent) return undefined;
  if (response.status !== status) return [`Prism: ${response.status} instead of ${status}`];
  return found
    .filter(({ location: [part] }) => part === 'response' || (isSent && status < 400))
    .map(({ location, message }) => `${location.join('.')}: ${message}`);
}

let current: Exchange | undefined;
const server = createServer((request, response) => {
  request.resume();
  if (!current) throw new Error('no exchange');
  response.writeHead(current.status, selectHeaders(current.headers));
  response.end(Buffer.from(current.body, 'base64'));
});
await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
let [read, judged, violations] = [0, 0, 0];
for await (const exchange of readExchanges()) {
  read++;
  const found = await judge(exchange);
  if (found) judged++;
  for (const violation of found ?? []) {
    violations++;
    console.log(`${exchange.status} ${exchange.method} ${exchange.target}\n  ${violation}`);
  }
}
server.close();
console.log(`${api}: ${judged} of ${read} exchanges are in the document, ${violations} violations`);
process.exitCode = violations > 0 || judged === 0 ? 1 : 0;
