import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RequestPolicy } from '../../../../src/transport/policies/user-policies.js';
import { rejectionOf } from '../../../support/client.js';
import type { Reply } from '../dispatch/answering-dispatcher.js';
import { anyJson, createJob, createToken, fixed } from '../prepared-calls.js';
import { changing, elsewhere, fine, url, withPolicies } from './with-policies.js';

describe('a client with policies', () => {
  const credentials = {
    ...createToken('hush99-header'),
    parameters: 'access_token=hush99-query',
    secrets: ['hush99-header', 'hush99-query'],
  };
  const job = () => createJob(anyJson, { authorizer: fixed(credentials) });

  it('a client hides its credentials from its policies', async () => {
    const seen: unknown[] = [];
    const watching: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      seen.push(request, context, response);
      return response;
    };
    const { transport, dispatcher } = withPolicies([watching]);
    await transport.perform(job());
    expect(dispatcher.sent[0]?.url).toContain('hush99-query');
    expect(inspect(seen, { depth: 9, showHidden: true })).not.toContain('hush99');
    expect(JSON.stringify(seen)).not.toContain('hush99');
  });

  it("the client doesn't send credentials to an untrusted origin that a policy sets", async () => {
    const { transport, dispatcher } = withPolicies([changing({ url: elsewhere })]);
    await transport.perform(job());
    expect(dispatcher.sent[0]?.url).toBe(elsewhere);
    expect(JSON.stringify(dispatcher.sent)).not.toContain('hush99');
    expect(dispatcher.sent[0]?.headers).not.toHaveProperty('authorization');
  });

  it('the client sends credentials to a trusted origin that a policy sets', async () => {
    const trustedOrigins = ['https://elsewhere.example.net'];
    const { transport, dispatcher } = withPolicies([changing({ url: elsewhere })], undefined, {
      trustedOrigins,
    });
    await transport.perform(job());
    expect(dispatcher.sent[0]).toMatchObject({
      url: `${elsewhere}?access_token=hush99-query`,
      headers: { authorization: 'token hush99-header' },
    });
  });

  it("the client doesn't forward policy headers to an untrusted origin on a redirect", async () => {
    const replies = [{ status: 302, headers: { location: elsewhere } }, fine];
    const { transport, dispatcher } = withPolicies(
      [changing({ headers: { 'x-signature': 'mine' } })],
      replies,
    );
    await transport.perform(job());
    const [home, away] = dispatcher.sent;
    expect(home?.headers).toMatchObject({ 'x-signature': 'mine' });
    expect(away?.url).toBe(elsewhere);
    expect(Object.keys(away?.headers ?? {})).not.toContain('x-signature');
    expect(JSON.stringify(away)).not.toContain('hush99');
  });

  it('the client masks a secret that a policy adds to a header', async () => {
    const secret = 'hush99-of-the-policy';
    const adding = changing({ headers: { 'x-api-key': secret } });
    const refused: Reply = { status: 400, body: JSON.stringify({ message: `not ${secret}` }) };
    const echo = await rejectionOf(withPolicies([adding], [refused]).transport.perform(job()));
    expect(echo).toMatchObject({ body: { message: 'not ***' } });
    const leak: Reply = { status: 302, headers: { location: `${elsewhere}?key=${secret}` } };
    const { transport, dispatcher } = withPolicies([adding], [leak, fine]);
    const [error] = await Promise.allSettled([transport.perform(job())]);
    expect(JSON.stringify(dispatcher.sent.slice(1))).not.toContain(secret);
    expect(inspect(error)).not.toContain(secret);
  });
});

it("the client rejects a redirect whose URL contains a policy's secret", async () => {
  const adding = changing({ url: `${url}&api_key=hush99-of-the-policy` });
  const location = `${elsewhere}?rd=${encodeURIComponent('/thing?api_key=hush99-of-the-policy')}`;
  const { transport, dispatcher } = withPolicies(
    [adding],
    [{ status: 302, headers: { location } }, fine],
  );
  const error = await rejectionOf(transport.perform(createJob(anyJson)));
  expect(error).toMatchObject({ reason: 'contains_secret' });
  expect(inspect(error)).not.toContain('hush99');
  expect(dispatcher.sent).toHaveLength(1);
});
