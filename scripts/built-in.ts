/**
 * Packages whose code is bundled into `dist`, with their licenses. Bundled, zod loads in a tenth of the
 * time, because it has 95 files, most of which are locales.
 */
export const builtIn: readonly string[] = ['zod'];
