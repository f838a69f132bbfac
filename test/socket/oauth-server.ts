import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { OAuthWebFlow, type OAuthWebFlowOptions } from '../../src/hosting/index.js';

import { type Seen, serve } from '../support/server.js';

export const clientId = 'client-id-0123456789';
export const clientSecret = 'client-secret-0123456789-0123456789-abcd';
export const code = 'code-of-this-attempt';
export const accessToken = 'e72e16c7e42f292c6912e7710c838347ae178b4a';

/** Starts a server that responds to token requests, and creates a flow for it. */
export async function flowTo(
  respond: (response: ServerResponse, request: Seen, index: number) => unknown,
  options: Partial<OAuthWebFlowOptions> = {},
) {
  const server = await serve((request, response, index) => respond(response, request, index));
  const authUrl = `${server.origin}/web`;
  const flow = new OAuthWebFlow({
    authUrl,
    clientId,
    clientSecret,
    retry: { baseDelay: 0 },
    ...options,
  });
  onTestFinished(() => flow.close());
  return { server, flow };
}

/** Creates a `respond` function that always sends the same response. */
export const send =
  (type: string, body: string, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': type }).end(body);

/** Fields of a successful token response. */
export const fields = { access_token: accessToken, scope: 'user,gist', token_type: 'bearer' };
export const json = JSON.stringify(fields);
export const form = new URLSearchParams(fields).toString();
export const xml = `<?xml version="1.0" encoding="UTF-8"?>
<OAuth>
  <token_type>bearer</token_type>
  <scope>user,gist</scope>
  <access_token>${accessToken}</access_token>
</OAuth>`;
