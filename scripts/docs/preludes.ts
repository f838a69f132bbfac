/**
 * What a fragment in the documents may take for granted, by the name in its
 * `<!-- snippet: prelude=… -->` comment. Types are imported in place, so that a prelude never
 * collides with the imports of the fragment itself.
 */
export const preludes: Readonly<Record<string, string>> = {
  hosting: `declare const hosting: import('triforge').HostingClient;`,
  token: 'declare const token: string;',
  repository: 'declare const owner: string; declare const repo: string;',
  endpoints: `
declare const hosting: import('triforge').HostingClient;
declare const oauth: import('triforge/hosting').OAuthWebFlow;
declare const support: import('triforge').SupportClient;
declare const appliance: import('triforge').ConsoleClient;
declare const owner: string, repo: string, sha: string, token: string, secret: string;
declare const release: import('triforge/hosting').Release, code: string, state: string;
declare const request: import('node:http').IncomingMessage & { url: string };
declare const topic: string;`.replaceAll('\n', ' '),
};
