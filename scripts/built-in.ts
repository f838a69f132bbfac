/**
 * Packages whose code and licenses are bundled into `dist`. When bundled, zod loads ten times as fast,
 * because the package consists of 95 files, most of which are locales.
 */
export const builtIn: readonly string[] = ['zod'];
