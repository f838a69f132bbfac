import { describe, expect, it } from 'vitest';
import { readRecording } from './recording-folder.js';

const secret = 'new-secret-1';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const text = { 'content-type': 'text/plain' };

describe('createRecorder() with secret names', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a list in a form', form, `a=1&password[]=${secret}`],
    ['an item of a list in a form', form, `tokens%5B0%5D=${secret}`],
    ['a record under a secret name in a form', form, `user[secret][value]=${secret}`],
    ['a password confirmation', form, `password_confirmation=${secret}`],
    ['a numbered password', json, `{"password2":"${secret}"}`],
    ['a field named passwd', json, `{"passwd":"${secret}"}`],
    ['a field named pwd', json, `{"pwd":"${secret}"}`],
    ['a field named credentials', json, `{"credentials":{"user":"${secret}"}}`],
    ['a signed URL', json, `{"url":"https://a.test/f?X-Amz-Signature=${secret}&X-Amz-Date=1"}`],
    ['a URL in text that is declared as JSON', json, `clone https://ann:${secret}@a.test/x.git`],
  ])('a recorder masks a secret in %s and its echo', async (_where, headers, body) => {
    expect(await readRecording(headers, body)).not.toContain(secret);
    const sent = { method: 'POST', headers, body } as const;
    expect(await readRecording(text, `echo ${secret}`, sent)).not.toContain(secret);
  });

  it.each<[string, Record<string, string>, string, string]>([])(
    'a recorder masks the echo of a secret in a response with %s',
    async (_where, headers, body, echoed) => {
      expect(await readRecording({ ...headers, 'x-echo': echoed }, body)).not.toContain(echoed);
    },
  );

  it.each<[string, string]>([
    ['unclosed lists', `x ${'token:[1,"a"\n'.repeat(200_000)}`],
    ['unclosed lists on one line', `x ${'token:["a"'.repeat(200_000)}`],
  ])('a recorder stores a body with many %s and masks their secrets', async (_what, body) => {
    expect(await readRecording(text, body)).not.toContain(secret);
  });

  it.each([
    '{"message":"password: is too short (minimum is 7 characters)"}',
    'the "token: abc" of the docs',
    'if (token == expected) return',
  ])('a recorder leaves the text %s unmasked', async (body) => {
    expect(await readRecording(text, body)).toContain(JSON.stringify(body));
  });

  it("a recorder doesn't mask the text after a list whose key is a secret name", async () => {
    const body = `x {"token":["${secret}"],"a":"shown"} <token>x</token> also shown`;
    const all = await readRecording(text, body);
    expect(all).toContain('also shown');
    expect(all).toContain('\\"a\\":\\"shown\\"');
  });
});
