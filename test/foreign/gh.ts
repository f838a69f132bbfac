import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { certificate } from '../socket/console-certificate.js';

// Sends requests with GitHub's command-line program, which supports HTTPS only. Like the
// other programs in this folder, this program reads and prints lines of JSON.

interface Parameters {
  readonly owner: string;
  readonly repo: string;
  readonly tag_name?: string;
  readonly name?: string;
  readonly body?: string;
  readonly draft?: boolean;
  readonly state?: string;
  readonly asset?: { readonly name: string; readonly content: string };
}

interface CallRequest {
  readonly row: string;
  readonly parameters: Parameters;
}

const { BASE: base = '', TOKEN: token } = process.env;
const { host } = new URL(base);
const folder = mkdtempSync(join(tmpdir(), 'triforge-gh-'));
const certificateFile = join(folder, 'certificate.pem');
writeFileSync(certificateFile, certificate);
const env = {
  PATH: process.env.PATH,
  HOME: folder,
  GH_CONFIG_DIR: folder,
  GH_HOST: host,
  GH_ENTERPRISE_TOKEN: token,
  GH_PROMPT_DISABLED: '1',
  SSL_CERT_FILE: certificateFile,
};

async function gh(...args: readonly string[]): Promise<string> {
  const maxBuffer = 64 * 1_048_576;
  return (await promisify(execFile)('gh', args, { env, cwd: folder, maxBuffer })).stdout;
}

/**
 * Returns all pages of a list. The program prints pages without a separator, so each record is
 * printed as one line.
 */
async function list(path: string): Promise<Record<string, unknown>[]> {
  const text = await gh('api', '--paginate', path, '--jq', '.[]');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

async function createRelease({ owner, repo, asset, ...release }: Parameters): Promise<unknown> {
  const { tag_name: tag = '', name = '', body = '', draft } = release;
  const files = asset ? [join(folder, asset.name)] : [];
  if (asset) writeFileSync(join(folder, asset.name), asset.content);
  const options = ['--title', name, '--notes', body, ...(draft ? ['--draft'] : [])];
  // Without the host, gh would use a repository on github.com.
  await gh('release', 'create', tag, ...files, ...options, '-R', `${host}/${owner}/${repo}`);
  return (await list(`repos/${owner}/${repo}/releases`)).find((each) => each.tag_name === tag);
}

const rows: Readonly<Record<string, (parameters: Parameters) => Promise<unknown>>> = {
  'GET /repos/:owner/:repo/pulls (all pages)': ({ owner, repo, state = 'all' }) =>
    list(`repos/${owner}/${repo}/pulls?state=${state}`),
  'POST /repos/:owner/:repo/releases': createRelease,
  'POST /repos/:owner/:repo/releases (with an asset)': createRelease,
};

async function respond({ row, parameters }: CallRequest): Promise<object> {
  const run = rows[row];
  if (!run) return { unknown: true };
  try {
    return { data: await run(parameters) };
  } catch (error) {
    return { error: String(error).slice(0, 300) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const requests = JSON.parse(line) as CallRequest; // `as`: run.ts writes these lines.
  console.log(JSON.stringify(await respond(requests)));
}
rmSync(folder, { recursive: true });
