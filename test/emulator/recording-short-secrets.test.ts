import { describe, expect, it } from 'vitest';
import { readRecording } from './recording-folder.js';

/** A secret of fewer than 8 characters. A recorder masks such a secret only after a secret name. */
const secret = 'zqxjkv';
const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'application/xml' };
const html = { 'content-type': 'text/html' };
const text = { 'content-type': 'text/plain' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
const longName = 'SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_SERVICE_CLIENT_SECRET';
const member = encodeURIComponent(JSON.stringify({ token: secret }));

describe('createRecorder() with short secrets', () => {
  it.each<[string, Record<string, string>, string | Buffer]>([
    ['a value with a 64-character name', text, `A=1\n${longName}=${secret}\n`],
    ['a member with a 64-character name in text', text, `x {"${longName}":"${secret}"}`],
    ['an encoded URL', json, `{"url":"/login?next=${encodeURIComponent(`/x?token=${secret}`)}"}`],
    ['an encoded username and password', text, encodeURIComponent(`https://me:${secret}@a.test/`)],
    ['encoded JSON in a form', form, `payload=${member}`],
    ['a form with semicolons', form, `a=1;token=${secret};b=2`],
    ['HTML that is declared as a form', form, `<w>&lt;r token=&quot;${secret}&quot;/&gt;</w>`],
    ['JSON in HTML', html, `<p data-x="{&quot;token&quot;:&quot;${secret}&quot;}">`],
    ['a quoted name in YAML', text, `a: 1\n"token": ${secret}\n`],
    ['a template literal', text, `const c = { token: \`${secret}\` };`],
    ['an attribute of an element', xml, `<a><password value="${secret}"/></a>`],
    ['an attribute within an element', xml, `<token><x y="${secret}">1</x></token>`],
    ['an XML setting', xml, `<add key="password" value="${secret}"/>`],
    [
      'an entry of XML properties',
      text,
      `<properties><entry key="password">${secret}</entry></properties>`,
    ],
    [
      'an XML string resource',
      xml,
      `<resources><string name="api_key">${secret}</string></resources>`,
    ],
    ['a text area', html, `<textarea rows="2" name="token">${secret}</textarea>`],
    ['a password input', html, `<input type="password" value="${secret}">`],
    [
      'a multipart field after a file name',
      multipart,
      `--b\r\nContent-Disposition: form-data; filename="name=a"; name="token"\r\n\r\n${secret}\r\n--b--`,
    ],
    [
      'a multipart form with a binary file',
      multipart,
      Buffer.from(
        `--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n\xff\xfe\x80\0\r\n--b\r\nContent-Disposition: form-data; name="token"\r\n\r\n${secret}\r\n--b--`,
        'latin1',
      ),
    ],
    ['a binary body', {}, Buffer.from(`\0\x81\xff{"token":"${secret}"}`, 'latin1')],
  ])('a recorder masks a short secret in %s', async (_where, headers, body) => {
    expect(await readRecording(headers, body)).not.toContain(secret);
  });

  it.each([
    `/x?next=/y?token=${secret}`,
    `/x?next=${encodeURIComponent(`/y?token=${secret}`)}`,
    `/x?q=${member}`,
    `/x?a=1;token=${secret}`,
    `/https://me:${secret}@a.test/x`,
    `/applications/abc/%74okens/${secret}`,
  ])('a recorder masks a short secret in a request for %s', async (path) => {
    const all = await readRecording({ location: path }, 'x', { path });
    expect(all).not.toContain(secret);
    expect(all).toContain('"status":200');
  });

  it('a recorder masks a token used as a key in a record of tokens', async () => {
    const token = 'zqxjkv7zqxjkv7zqxjkv7zqxjkv7';
    const all = await readRecording(json, JSON.stringify({ tokens: { [token]: { user: 1 } } }));
    expect(all).not.toContain(token);
  });

  it('a recorder stores JSON as JSON even if a string contains an unclosed quotation mark', async () => {
    const all = await readRecording(json, JSON.stringify({ a: `token='${secret}`, b: 1 }));
    expect(all).toContain('"json":{"a":"token=\'***","b":1}');
  });

  it.each([
    `<a name="token">Tokens</a> <form name="token">text</form>`,
    '{"token": null}',
    '"token": true\n',
    '<token xmlns="urn:a">',
  ])('a recorder leaves %s unmasked', async (body) => {
    expect(await readRecording(html, body)).not.toContain('***');
  });
});
