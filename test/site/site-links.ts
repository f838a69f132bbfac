import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;

/** A page and its links. */
interface Page {
  readonly ids: ReadonlySet<string>;
  readonly targets: readonly string[];
}

/** Numbers of checked pages and links, and each dead link as `page.html: target`. */
export interface SiteReport {
  readonly pages: number;
  readonly links: number;
  readonly dead: readonly string[];
}

const linking: Readonly<Record<string, string>> = {
  a: 'href',
  link: 'href',
  img: 'src',
  script: 'src',
  source: 'srcset',
};

/** Checks every link within a folder of HTML pages, including anchors. */
export function checkSite(folder: string): SiteReport {
  const files = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => statSync(join(folder, path)).isFile()),
  );
  const pages = new Map<string, Page>();
  for (const path of [...files].sort((a, b) => (a < b ? -1 : 1))) {
    if (path.endsWith('.html')) pages.set(path, readPage(readFileSync(join(folder, path), 'utf8')));
  }
  const dead: string[] = [];
  let links = 0;
  for (const [path, { targets }] of pages) {
    for (const target of targets) {
      if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)) continue;
      links += 1;
      if (!leadsSomewhere(path, target)) dead.push(`${path}: ${target}`);
    }
  }
  return { pages: pages.size, links, dead };

  function leadsSomewhere(from: string, target: string): boolean {
    const [rest = '', fragment = ''] = target.split('#', 2);
    const file = decodeURI(rest.split('?', 1)[0] ?? '');
    const joined = file === '' ? from : posix.join('/', posix.dirname(from), file);
    const plain = (file.startsWith('/') ? file : joined).replace(/^\//, '');
    const path = [plain, `${plain}.html`, posix.join(plain, 'index.html')].find((each) =>
      files.has(each),
    );
    if (path === undefined) return false;
    if (fragment === '' || fragment === 'top') return true;
    return pages.get(path)?.ids.has(decodeURIComponent(fragment)) ?? false;
  }
}

function readPage(html: string): Page {
  const ids = new Set<string>();
  const targets: string[] = [];
  const visit = (node: Node): void => {
    if ('attrs' in node) {
      for (const { name, value } of node.attrs) {
        if (name === 'id' || (name === 'name' && node.tagName === 'a')) ids.add(value);
        if (name === linking[node.tagName]) targets.push(value);
      }
    }
    if ('childNodes' in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return { ids, targets };
}
