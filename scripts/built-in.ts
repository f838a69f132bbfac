/**
 * Packages of which `dist` holds what is used, each with its licence beside it. Zod is 95 files, most of
 * them languages, and uri-template (with pct-encode) six, of which we use one: built in they load in a
 * tenth and a sixth of the time.
 */
export const builtIn: readonly string[] = ['zod', 'uri-template'];
