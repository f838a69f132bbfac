import { expect, it } from 'vitest';
import { displayOn } from '../../examples/appliance-display.js';

it('on a terminal, bar and steps are redrawn in place', () => {
  let text = '';
  const display = displayOn({
    isTTY: true,
    columns: 60,
    write: (each) => {
      text += each;
    },
  });
  display.upload({ sent: 500_000, total: 1_000_000 });
  display.upload({ sent: 1_000_000, total: 1_000_000 });
  const step = (word: string) => ({ key: 'Updating', status: word });
  display.status({ status: 'running', progress: [step('CONFIGURING')] });
  display.status({ status: 'success', progress: [step('DONE')] });
  display.say('Upgraded');
  expect(screenOf(text)).toEqual([
    `  [${'█'.repeat(30)}] 100 % of 1.0 MB`,
    '  ✓ Updating',
    '  success',
    'Upgraded',
  ]);
});

/** What a terminal shows after cursor-up, erase-below and erase-line. */
function screenOf(text: string): string[] {
  const lines: string[] = [];
  let row = 0;
  const visible = text.replaceAll('\u001b', '␛');
  for (const [, up, rest = ''] of visible.matchAll(/(?:␛\[(\d+)A)?((?:\r␛\[J)?[^\n]*\n)/g)) {
    row -= Number(up ?? 0);
    if (rest.startsWith('\r␛[J')) lines.length = row;
    lines[row++] = rest.replaceAll(/\r|\n|␛\[\d?[JK]/g, '');
  }
  return lines;
}
