import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkSite } from '../site/site-links.js';

function createSite(pages: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'guides'));
  for (const [path, html] of Object.entries(pages)) writeFileSync(join(folder, path), html);
  return folder;
}

test('checkSite() accepts links to existing targets and other sites', () => {
  const folder = createSite({
    'index.html':
      '<a href="guides/a%20b.html#caf%C3%A9"></a><a href="#top"></a><a href="?x=1"></a>',
    'guides/a b.html': '<h1 id="café"></h1><a href="../"></a><a href="https://example.com/x"></a>',
  });
  expect(checkSite(folder)).toEqual({ pages: 2, links: 4, dead: [] });
});

test('checkSite() reports missing files, anchors, images and scripts', () => {
  const folder = createSite({
    'index.html': '<a href="no.html"></a><a href="#no"></a><img src="no.png"><script src="no.js">',
    'guides/a.html': '<!-- <a href="no.html"> --><a href="../index.html#no">',
  });
  expect(checkSite(folder).dead).toEqual([
    'guides/a.html: ../index.html#no',
    'index.html: no.html',
    'index.html: #no',
    'index.html: no.png',
    'index.html: no.js',
  ]);
});
