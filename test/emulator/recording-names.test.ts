import { describe, expect, it } from 'vitest';
import { readRecording } from './recording-folder.js';

const secret = 'new-secret-1';
const bracketed = 'new)secret]1';
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };
const text = { 'content-type': 'text/plain' };
const nested = JSON.stringify({ data: JSON.stringify({ token: ['a', { b: secret }] }) });

describe('createRecorder() with secret names', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a list in a form', form, `a=1&password[]=${secret}`],
    ['an item of a list in a form', form, `tokens%5B0%5D=${secret}`],
    ['a record under a secret name in a form', form, `user[secret][value]=${secret}`],
    ['a password confirmation', form, `password_confirmation=${secret}`],
    ['a numbered password', json, `{"password2":"${secret}"}`],
    ['a field named passwd', json, `{"passwd":"${secret}"}`],
    ['an attribute with a lowercase name', text, `<a data-refreshtoken="${secret}" b="1">`],
    ['a field named pwd', json, `{"pwd":"${secret}"}`],
    ['a field named credentials', json, `{"credentials":{"user":"${secret}"}}`],
    ['a signed URL', json, `{"url":"https://a.test/f?X-Amz-Signature=${secret}&X-Amz-Date=1"}`],
    ['a name with brackets within text', text, `x {"user[password]":"${secret}"}`],
    ['a list in JSON within JSON', json, nested],
    ['a list in JSON within JSON within JSON', json, JSON.stringify({ nested })],
    ['a list in JSON within a form', form, `payload=${encodeURIComponent(nested)}`],
    ['a list in JSON after a prefix', text, `)]}',\n{"token":[["${secret}"]],"a":"shown"}`],
    ['a record in a script', text, `<script>x = {secret: {a: '${secret}'}}</script>`],
    ['a URL in text that is declared as JSON', json, `clone https://ann:${secret}@a.test/x.git`],
    ['a line in text that is declared as JSON', json, `error\ntoken: ${secret}\n`],
    ['the output of curl', text, `> GET / HTTP/1.1\r\n> X-Auth-Token: ${secret}\r\n`],
    ['a header in a command', text, `curl -H "X-Auth-Token: ${secret}" https://a.test`],
    ['a header in a JSON list', json, `{"headers":["Private-Token: ${secret}"]}`],
    ['an INI file', text, `[core]\npassword = ${secret}\nname = ann\n`],
    ['an .npmrc file', text, `//registry.test/:_authToken=${secret}\n`],
    ['JavaScript code', text, `config['token'] = '${secret}';`],
    ['Ruby code', text, `{:token => "${secret}"}`],
    ['Go code', text, `token := "${secret}"`],
    ['an element in text', text, `<a><token>${secret}</token></a>`],
    ['a CDATA section in text', text, `<api_key><![CDATA[${secret}]]></api_key>`],
    ['an element within JSON', json, JSON.stringify({ xml: `<token a="1">${secret}</token>` })],
    ['an element whose end tag is escaped', json, `{"xml":"<token>${secret}<\\/token>"}`],
  ])('a recorder masks a secret in %s and its echo', async (_where, headers, body) => {
    expect(await readRecording(headers, body)).not.toContain(secret);
    const sent = { method: 'POST', headers, body } as const;
    expect(await readRecording(text, `echo ${secret}`, sent)).not.toContain(secret);
  });

  it.each<[string, Record<string, string>, string, string]>([
    ['a CDATA section', xml, `<a><token><![CDATA[${secret}]]></token></a>`, secret],
    ['an element with a comment', xml, `<token><!-- new -->${secret}</token>`, secret],
    ['a parameter with brackets', text, `(https://a.test/?token=${bracketed})`, bracketed],
    ['a line at the start of a JSON string', json, `{"text":"token: ${secret}\\n"}`, secret],
  ])(
    'a recorder masks the echo of a secret in a response with %s',
    async (_where, headers, body, echoed) => {
      expect(await readRecording({ ...headers, 'x-echo': echoed }, body)).not.toContain(echoed);
    },
  );

  it.each<[string, string]>([
    ['list values in text', `x {"token":[${`"${secret}",`.repeat(300_000)}1]}`],
    ['text nodes in an element', `x <token>${`${secret}<a>`.repeat(200_000)}</token>`],
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
