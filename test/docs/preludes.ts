/** Pages that are generated from docstrings. Their samples show single calls. */
export const referencePage = /^docs\/(?:resources\/.+|errors)\.md$/;

/** Names that the reference's samples use. Inline type imports can't collide with a sample's imports. */
export const referencePrelude = `
declare const hosting: import('triforge').HostingClient;
declare const oauth: import('triforge/hosting').OAuthWebFlow;
declare const support: import('triforge').SupportClient;
declare const appliance: import('triforge').ConsoleClient;
declare const owner: string, repo: string, sha: string, token: string, secret: string;
declare const release: import('triforge/hosting').Release, code: string, state: string;
declare const request: import('node:http').IncomingMessage & { url: string };
declare const topic: string;`.replaceAll('\n', ' ');
