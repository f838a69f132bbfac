import { expect, test } from 'vitest';
import { escapeHtml } from '../../src/testing/html-page.js';

test('escapeHtml() escapes quotes, ampersands and angle brackets', () => {
  expect(escapeHtml(`<a href="b&c">&lt;</a>`)).toBe(
    '&lt;a href=&quot;b&amp;c&quot;&gt;&amp;lt;&lt;/a&gt;',
  );
});
