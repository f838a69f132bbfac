/** Who may ask a listening emulator, besides programs that call it by a name of this machine. */
export interface SiteOptions {
  /** Names in `Host` that it answers to, besides `localhost`, 127.0.0.1 and [::1]: as `code.test`. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Origins of web pages that may call it, besides those of this machine: as `https://app.test`. */
  readonly allowOrigins?: readonly string[] | undefined;
}

const loopback = /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * A page on the internet must neither read nor change what the emulator holds: by a form or a script
 * (`Origin`), or by a name of its own that leads to this machine (`Host`).
 * @returns why a request is refused; undefined where it may come in.
 */
export function refusalOf(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  { allowHosts = [], allowOrigins = [] }: SiteOptions,
): { readonly status: 400 | 403; readonly message: string } | undefined {
  const hosts = allowHosts.map((each) => each.toLowerCase());
  const ours = (name: string) => loopback.test(name) || hosts.includes(name);
  // Only HTTP/1.0 may leave it out, and no browser does.
  if (host !== undefined) {
    const [, name] = /^(\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i.exec(host) ?? [];
    if (name === undefined) return { status: 400, message: 'emulator: Host is no name of a host' };
    if (!ours(name.toLowerCase())) {
      const how = `allowHosts: ['${name}'], or --allow-host ${name}`;
      return { status: 403, message: `emulator: it does not answer to Host ${host} (${how})` };
    }
  }
  if (origin === undefined || allowOrigins.includes(origin)) return undefined;
  if (URL.canParse(origin) && ours(new URL(origin).hostname)) return undefined;
  const how = `allowOrigins: ['${origin}'], or --allow-origin ${origin}`;
  return { status: 403, message: `emulator: pages of ${origin} may not call it (${how})` };
}
