import { describe, expect, test } from 'vitest';
import { nextVersion, releasedChangelog } from '../../scripts/release/plan.js';

describe('nextVersion', () => {
  test.each([
    ['1.2.3', 'major', '2.0.0'],
    ['1.2.3', 'minor', '1.3.0'],
    ['1.2.9', 'patch', '1.2.10'],
    ['0.1.0', '0.1.1', '0.1.1'],
    ['0.9.9', '1.0.0', '1.0.0'],
    ['0.9.9', '0.10.0', '0.10.0'],
  ])('%s by %s is %s', (current, bump, next) => {
    expect(nextVersion(current, bump)).toBe(next);
  });

  test.each(['1.2.3', '1.2.2', '1.1.9', '0.9.9'])('%s does not come after 1.2.3', (bump) => {
    expect(() => nextVersion('1.2.3', bump)).toThrow('does not come after 1.2.3');
  });

  test.each(['', 'latest', '1.2', 'v2.0.0', '2.0.0-beta'])('%j is no version', (bump) => {
    expect(() => nextVersion('1.2.3', bump)).toThrow('expected major, minor, patch');
  });
});

describe('releasedChangelog', () => {
  const before =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- More.\n\n## [0.1.0] - then\n\n- Some.\n';

  test('moves the notes under the version, and leaves an empty Unreleased', () => {
    expect(releasedChangelog(before, '0.2.0', '2026-11-21')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-21\n\n### Added\n\n- More.\n\n## [0.1.0] - then\n\n- Some.\n',
    );
  });

  test('works for the first release too', () => {
    expect(releasedChangelog('## [Unreleased]\n\n- All.\n', '0.1.0', '2026-11-21')).toBe(
      '## [Unreleased]\n\n## [0.1.0] - 2026-11-21\n\n- All.\n\n',
    );
  });

  test.each([
    ['# Changelog\n', 'no ## [Unreleased]'],
    ['## [Unreleased]\n\n## [0.1.0]\n- x\n', 'nothing stands under'],
  ])('refuses %j', (text, words) => {
    expect(() => releasedChangelog(text, '1.0.0', '2026-11-21')).toThrow(words);
  });
});
