/**
 * What a fragment in the documents may take for granted, by the name in its
 * `<!-- snippet: prelude=… -->` comment. Types are imported in place, so that a prelude never
 * collides with the imports of the fragment itself.
 */
export const preludes: Readonly<Record<string, string>> = {
  hosting: `declare const hosting: import('triforge').HostingClient;`,
  token: 'declare const token: string;',
  repository: 'declare const owner: string; declare const repo: string;',
};
