import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, onTestFinished } from 'vitest';
import { type Seen, sendJson, serve } from '../support/server.js';
import type { Case } from './case.js';

/** Runs a case against a new server. Checks and returns the request. */
export async function runCase<Client>(
  each: Case<Client>,
  makeClient: (origin: string) => Client,
  prefix: string,
): Promise<Seen> {
  const { status = each.reply === undefined ? 204 : 200 } = each;
  const server = await serve((_request, response) => {
    const headers = each.location === undefined ? {} : { location: each.location };
    if (each.reply === undefined) {
      response.writeHead(status, headers);
      response.end();
    } else if (typeof each.reply === 'string') {
      const type = { 'content-type': each.replyType ?? 'text/plain' };
      response.writeHead(status, { ...type, ...headers });
      response.end(each.reply);
    } else {
      sendJson(response, each.reply, status, headers);
    }
  });
  const operations = watchOperations();
  const client = makeClient(server.origin);
  if (each.error === undefined) {
    const result = await each.call(client, server.origin);
    expect(result, 'the result of the call').toEqual('result' in each ? each.result : each.reply);
  } else {
    const code = each.error;
    // RedirectError has no status.
    await expect(Promise.resolve(each.call(client, server.origin))).rejects.toMatchObject(
      status < 400 ? { code } : { code, status },
    );
  }
  expect(server.log, 'one request for one call').toHaveLength(1);
  const [seen] = server.requests;
  if (!seen) throw new Error('nothing was sent');
  expect(operations, 'the operation of the request').toEqual([each.operation]);
  expect(`${seen.method} ${seen.url}`).toBe(`${each.row.split(' ')[0]} ${prefix}${each.url}`);
  expectBody(each, seen);
  expect(seen.headers.accept).toBe(each.accept ?? 'application/vnd.service.v3+json');
  expect(seen.headers['user-agent']).toMatch(/^triforge\//);
  return seen;
}

function expectBody<Client>(each: Case<Client>, seen: Seen): void {
  const { body, form, raw } = each;
  const type = seen.headers['content-type'];
  if (body !== undefined) {
    expect(type).toMatch(/^application\/json\b/);
    expect(JSON.parse(seen.body), 'the body').toStrictEqual(body);
  } else if (form !== undefined) {
    expect(type).toBe('application/x-www-form-urlencoded');
    expect(seen.body).toBe(form);
  } else if (raw !== undefined) {
    expect(type).toBe(raw.type);
    expect(seen.body).toBe(raw.text);
    expect(seen.headers['content-length']).toBe(String(Buffer.byteLength(raw.text)));
  } else {
    expect(seen.body, 'no body').toBe('');
    expect(type).toBeUndefined();
    // Contract, section Limits: PUT without a body sends `Content-Length: 0`.
    if (seen.method === 'PUT') expect(seen.headers['content-length']).toBe('0');
  }
}

/** Records the operations of all requests until the test ends. */
function watchOperations(): string[] {
  const operations: string[] = [];
  const note = (message: unknown) => {
    // `as`: this channel publishes only messages of this type.
    const { request } = message as { readonly request: { readonly operation: string } };
    operations.push(request.operation);
  };
  subscribe('triforge:request:start', note);
  onTestFinished(() => {
    unsubscribe('triforge:request:start', note);
  });
  return operations;
}
