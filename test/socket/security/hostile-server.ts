import type { ServerResponse } from 'node:http';
import { type Seen, sendJson, serve, type TestServer } from '../../support/server.js';
import { text } from './planted.js';

/** Returns all text that a request contains, raw and decoded. */
function collectTexts({ url, headers, body }: Seen): string {
  const encoded = /Basic (\S+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const form = [...new URLSearchParams(isForm ? body : '')].map((pair) => pair.join('='));
  return [
    url,
    decoded(url),
    JSON.stringify(headers),
    Buffer.from(encoded, 'base64').toString(),
    body,
    ...form,
    jsonTexts(body).join(' '),
    ...[...new URLSearchParams(isForm ? body : '').values()].flatMap(jsonTexts),
  ].join(' ');
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function jsonTexts(source: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(source, (_key, value: unknown) => {
      if (typeof value === 'string') found.push(value);
      return value;
    });
  } catch {
    return []; // The body isn't JSON, so there is nothing to add.
  }
  return found;
}

/** Replaces characters that a header can't contain. */
const field = (value: string) => value.replace(/[^\x20-\x7e]/g, '?').slice(0, 6000);

type Tell = (response: ServerResponse, all: string) => unknown;
/** Responses that echo all received data or are broken. */
export const hostile: Readonly<Record<string, Tell>> = {
  'responds with 400 and JSON': (response, all) =>
    sendJson(response, { message: all, errors: [{ code: 'custom', message: all }, all] }, 400),
  'responds with 401': (response, all) =>
    sendJson(response, { message: all, statusMessage: all }, 401),
  'requires a one-time password': (response, all) =>
    sendJson(response, { message: all }, 401, { 'x-service-otp': 'required; app' }),
  'responds with 403 for a rate limit': (response, all) =>
    sendJson(response, { message: `API rate limit exceeded ${all}` }, 403, {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-limit': '1',
      'x-ratelimit-reset': '4000000000',
    }),
  'responds with 422 and unknown properties': (response, all) =>
    sendJson(response, { documentation_url: all, error: all, other: { deep: [all] } }, 422),
  'responds with 500 and HTML': (response, all) =>
    response.writeHead(500, { 'content-type': 'text/html' }).end(`<pre>${all}</pre>`),
  'responds with 502 and a custom status text': (response, all) =>
    response.writeHead(502, field(all)).end(),
  'responds with 200 and a wrong shape': (response, all) =>
    sendJson(response, { [all]: all, id: all, status: all, access_token: all }),
  'responds with 200 and a failure': (response, all) =>
    sendJson(response, {
      success: false,
      statusMessage: all,
      error: all,
      error_description: all,
      error_uri: all,
    }),
  'responds with 200 and plain text': (response, all) =>
    response.writeHead(200, { 'content-type': 'text/plain' }).end(all),
  'responds with 200 and malformed JSON': (response, all) =>
    response.end(`{"a":${JSON.stringify(all)}`),
  'responds with 200 and custom headers': (response, all) =>
    sendJson(response, {}, 200, {
      'x-echo': field(all),
      link: `<http://x.test/?q=${encodeURIComponent(field(all))}>; rel="next"`,
      'set-cookie': field(all),
    }),
  'responds with an invalid Link header': (response, all) =>
    sendJson(response, [], 200, { link: `<${field(all)}` }),
  'redirects to another origin': (response, all) =>
    response.writeHead(302, { location: `ftp://jo:${encodeURIComponent(all)}@x.test/` }).end(),
  'redirects to itself with a query': (response, all) =>
    response.writeHead(307, { location: `/x?q=${encodeURIComponent(field(all))}` }).end(),
  'truncates its response body': (response, all) => {
    response.writeHead(200, { 'content-length': '1000000' });
    response.write(all, () => response.destroy());
  },
  'closes the connection': (response) => response.destroy(),
};

/** Starts a server that opens one session and handles all other requests with `report`. */
export async function hostileServer(report: Tell): Promise<TestServer> {
  const session2 = `${text}-of-the-session`;
  return await serve((seen, response, index) => {
    if (seen.url.endsWith('/authenticate') && !seen.url.includes('?') && index === 0) {
      const expires = '2099-01-01T00:00:00+0000';
      return sendJson(response, { success: true, access_token: session2, expires });
    }
    return report(response, collectTexts(seen));
  });
}
