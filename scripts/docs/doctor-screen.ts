// Writes docs/doctor.svg, which shows triforge-doctor's report on an emulator with wrong responses.
// Run: npm run docs:screen
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { consoleSeed, createEmulator, seeded, supportSeed } from '../../src/testing/index.js';

/** Returns the lines that triforge-doctor prints. */
async function output(env: Readonly<Record<string, string>>): Promise<string[]> {
  const args = ['--import', 'tsx', 'src/doctor/cli.ts', '--repo', 'acme/rocket'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 1) throw new Error(`the doctor ended with ${code}: ${written}`);
  return written.trimEnd().split('\n');
}

function picture(lines: readonly string[]): string {
  const [line, letter, edge] = [18, 7.22, 12];
  const width = Math.ceil(Math.max(...lines.map((each) => each.length)) * letter) + 2 * edge;
  const height = lines.length * line + 2 * edge;
  const colour = (text: string) =>
    /DIFFERS|FAILS|problems? found\.$/.test(text) ? ' fill="#ffb86b"' : '';
  const text = lines.map((each, index) => {
    const y = edge + 13 + index * line;
    return `<text x="${edge}" y="${y}" xml:space="preserve"${colour(each)}>${escaped(each)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="A report of triforge-doctor in a terminal" font-family="ui-monospace, 'DejaVu Sans Mono', monospace" font-size="12" fill="#e6edf3">
<rect width="${width}" height="${height}" fill="#1b1f24"/>
${text.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const emulator = createEmulator({ vendor: 'octo' });
try {
  const { hostingUrl, supportUrl, consoleUrl } = await emulator.listen();
  const always = { times: Number.POSITIVE_INFINITY };
  const settings = { enterprise: { smtp: 'off' }, run_list: [] };
  emulator.fail({ path: '/hooks' }, { kind: 'response', status: 502, body: '<html>' }, always);
  emulator.fail({ path: '/settings' }, { kind: 'response', status: 200, body: settings }, always);
  // With few scopes, the report is narrow enough for readable text.
  const { token } = emulator.hosting.addToken(seeded.login, ['repo', 'admin:org']);
  const lines = await output({
    TRIFORGE_BASE_URL: hostingUrl,
    TRIFORGE_TOKEN: token,
    TRIFORGE_SUPPORT_BASE_URL: supportUrl,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
    TRIFORGE_CONSOLE_BASE_URL: consoleUrl,
    TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
  });
  writeFileSync('docs/doctor.svg', picture(['$ npx triforge-doctor --repo acme/rocket', ...lines]));
  process.stdout.write(`${lines.join('\n')}\n`);
} finally {
  await emulator.close();
}
