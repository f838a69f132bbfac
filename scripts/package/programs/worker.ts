import assert from 'node:assert/strict';
import { HostingClient, isTriforgeError } from 'triforge/hosting';

const repo = { owner: 'acme', repo: 'rocket' };

export default {
  /** Called by `workerd test`. The bindings contain the environment that `triforge-emulator` sets. */
  async test(_controller: unknown, bindings: Record<'baseUrl' | 'token', string>) {
    const { baseUrl, token } = bindings;
    const hosting = new HostingClient({ baseUrl, auth: { type: 'token', token } });
    const pulls = await hosting.pulls.list(repo, { concurrency: 2 }).toArray();
    assert(pulls.length > 100, 'a list of several pages');
    const missing = await hosting.pulls.get({ ...repo, number: 99999 }).catch((error) => error);
    assert(isTriforgeError(missing), 'an error');
    const { upload_url } = await hosting.releases.create({ ...repo, tag_name: 'workers' });
    const data = new Uint8Array(600_000).fill(97);
    const file = { name: 'a.txt', content_type: 'text/plain', data };
    const { id } = await hosting.releases.uploadAsset({ upload_url, ...file });
    const bytes = await hosting.releases.downloadAsset({ ...repo, id }, { as: 'bytes' });
    assert.deepEqual(new Uint8Array(bytes), data, 'a download');
  },
};
