// Takes docs/upgrade-screen.svg: examples/upgrade-appliance.ts in a real terminal (util-linux `script`)
// against the emulator, at three moments. Run: npm run docs:screen
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { consoleSeed, createEmulator } from '../../src/testing/index.js';

/** What the terminal shows after each piece of output. */
async function screens(env: Record<string, string>): Promise<string[][]> {
  const command = `stty cols 72; ${process.execPath} --import tsx examples/upgrade-appliance.ts`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const shown: string[][] = [];
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
    shown.push(screenOf(written));
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the example ended with ${code}: ${written}`);
  return shown;
}

/** Obeys what the example writes: cursor up, erase below, erase line. */
function screenOf(text: string): string[] {
  const lines: string[] = [];
  let row = 0;
  const visible = text.replaceAll('\u001b', '␛').replaceAll('\r\n', '\n');
  for (const [, up, rest = ''] of visible.matchAll(/(?:␛\[(\d+)A)?((?:\r␛\[J)?[^\n]*\n)/g)) {
    row -= Number(up ?? 0);
    if (rest.startsWith('\r␛[J')) lines.length = row;
    lines[row++] = rest.replaceAll(/\r|\n|␛\[\d?[JK]/g, '');
  }
  return lines;
}

function picture(frames: readonly (readonly string[])[]): string {
  const [width, line, gap] = [640, 20, 14];
  const panels: string[] = [];
  let top = gap;
  for (const frame of frames) {
    const height = frame.length * line + 24;
    const text = frame.map(
      (each, index) =>
        `<text x="36" y="${top + 28 + index * line}" xml:space="preserve">${escaped(each)}</text>`,
    );
    panels.push(
      `<rect x="18" y="${top}" width="${width - 36}" height="${height}" rx="8" fill="#1b1f24"/>`,
      ...text,
    );
    top += height + gap;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" role="img" aria-label="An upgrade in a terminal: the upload, the steps, the end" font-family="ui-monospace, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3">
${panels.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const folder = mkdtempSync(join(tmpdir(), 'triforge-screen-'));
const emulator = createEmulator();
try {
  const license = join(folder, 'license.ghl');
  const pack = join(folder, 'release-2.0.0.pkg');
  writeFileSync(license, consoleSeed.license);
  writeFileSync(pack, '');
  truncateSync(pack, 300_000_000);
  const { consoleUrl } = await emulator.listen();
  emulator.console.slowStep('Updating configuration', 4);
  const shown = await screens({
    TRIFORGE_CONSOLE_URL: consoleUrl,
    TRIFORGE_LICENSE: license,
    TRIFORGE_PACKAGE: pack,
    TRIFORGE_INTERVAL: '200',
  });
  const frames = [
    shown.find((each) => / (?:[4-9]\d) % of/.test(each.at(-1) ?? '')),
    shown.find((each) => each.some((text) => text.includes('▸ Updating'))),
    shown.at(-1),
  ];
  if (frames.includes(undefined)) throw new Error('a moment was missed');
  writeFileSync('docs/upgrade-screen.svg', picture(frames.map((frame) => frame ?? [])));
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}
