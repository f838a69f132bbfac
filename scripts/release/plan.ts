/** How the version goes up, or the version itself. */
export type Bump = string;

/**
 * The version after a release.
 * @param bump `major`, `minor`, `patch`, or a version of its own, later than the current one.
 * @throws where it is neither.
 */
export function nextVersion(current: string, bump: Bump): string {
  const [major, minor, patch] = partsOf(current);
  switch (bump) {
    case 'major':
      return `${major + 1}.0.0`;
    case 'minor':
      return `${major}.${minor + 1}.0`;
    case 'patch':
      return `${major}.${minor}.${patch + 1}`;
    default: {
      const wanted = partsOf(bump);
      const index = wanted.findIndex((part, at) => part !== [major, minor, patch][at]);
      const later = index >= 0 && (wanted[index] ?? 0) > ([major, minor, patch][index] ?? 0);
      if (!later) throw new Error(`${bump} does not come after ${current}`);
      return bump;
    }
  }
}

function partsOf(version: string): readonly [number, number, number] {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version);
  if (!parts)
    throw new Error(`expected major, minor, patch or a version like 1.2.3, got ${version}`);
  return [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

/**
 * The changelog with what stood under Unreleased moved under the version.
 * @param date as 2026-11-21.
 * @throws where nothing stands there: a release without a word helps nobody.
 */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  const heading = '## [Unreleased]';
  const start = changelog.indexOf(heading);
  if (start < 0) throw new Error(`CHANGELOG.md: no ${heading}`);
  const after = start + heading.length;
  const next = changelog.indexOf('\n## [', after);
  const notes = changelog.slice(after, next < 0 ? undefined : next).trim();
  if (notes === '') throw new Error('CHANGELOG.md: nothing stands under [Unreleased]');
  const rest = next < 0 ? '\n' : changelog.slice(next);
  return `${changelog.slice(0, after)}\n\n## [${version}] - ${date}\n\n${notes}\n${rest}`;
}
