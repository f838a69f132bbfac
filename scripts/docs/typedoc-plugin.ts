import { fileURLToPath } from 'node:url';
import {
  type Application,
  Comment,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { subpaths } from '../entry-points.js';
import { type MethodSection, methodSections } from './method-sections.js';

/** Classes that users construct. The package constructs all other classes. */
const userClass = /(?:Client|Error|Flow|Clock)$/;

const root = fileURLToPath(new URL('../..', import.meta.url));
const errorsPage = '/docs/errors.md';

/** Adapts TypeDoc's pages to this package. */
export async function load(app: Application): Promise<void> {
  const methods = await methodSections(root);
  const sections = new Map(methods.map((section) => [section.key, section]));
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Constructor)) return;
    if (!userClass.test(reflection.parent?.name ?? ''))
      context.project.removeReflection(reflection);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    // Hides the base class of resources, because users don't call its methods.
    for (const reflection of project.getReflectionsByKind(ReflectionKind.Class)) {
      if (!(reflection instanceof DeclarationReflection)) continue;
      if (/Resource$/.test(String(reflection.extendedTypes?.[0]))) delete reflection.extendedTypes;
    }
    const comments = Object.values(project.reflections).map(({ comment }) => comment);
    for (const tag of comments.flatMap((comment) => comment?.blockTags ?? [])) {
      const names = tag.typeAnnotation?.replaceAll(/[{}]/g, '');
      if (names) tag.content.unshift({ kind: 'code', text: `\`${names}\` ` });
      delete tag.typeAnnotation;
    }
    groupByFile(project);
  });
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    page.contents = (page.contents ?? '')
      .split(/^(?=## )/m)
      .map((part) => withSections(part, sections))
      .join('')
      // The VitePress theme rewrites property anchors in links, but not in the link targets.
      .replaceAll(/\bproperty-\w[\w-]*/g, (anchor) => anchor.replaceAll('_', '-'))
      .replaceAll(
        /^`((?!Type|Range|Http)\w+Error)` ?/gm,
        (_, name: string) => `[\`${name}\`](${errorsPage}#${name.toLowerCase()}): `,
      );
  });
}

/** Replaces the text below a method's signature with the method's section from the endpoint pages. */
function withSections(part: string, sections: ReadonlyMap<string, MethodSection>): string {
  const [, className = ''] = /^## (\w+)/.exec(part) ?? [];
  const method = /^(#### (\w+)\(\)[^\n]*\n\n```ts\n.*?\n```\n)(.*?)(?=^#{2,4} |(?![\s\S]))/gms;
  return part.replaceAll(method, (whole, head: string, name: string, body: string) => {
    const section = sections.get(`${className}.${name}`);
    if (!section) return whole;
    const [, response] = /^##### Returns\n\n([^\n]+)/m.exec(body) ?? [];
    const examples = section.examples.map((code) => `\n\`\`\`ts\n${code}\n\`\`\`\n`);
    return `${head}\n\`${section.http}\`\n\n${section.text({ errors: errorsPage, response })}${examples.join('')}\n`;
  });
}

/** Groups exports into one page for each source file, in the folder of its entry point. */
function groupByFile(project: ProjectReflection): void {
  const files = new Map<string, DeclarationReflection[]>();
  for (const module of project.children ?? []) {
    for (const child of [...(module.children ?? [])]) {
      // A model is an interface and a schema with the same name. Only the interface has docstrings.
      if (child.kindOf(ReflectionKind.Variable) && hasType(module, child.name)) {
        project.removeReflection(child);
        continue;
      }
      const path = project.getSymbolIdFromReflection(child)?.fileName ?? '';
      files.set(path, [...(files.get(path) ?? []), child]);
    }
  }
  project.children = [];
  project.childrenIncludingDocuments = [];
  for (const [path, children] of files) {
    const page = new DeclarationReflection(
      pageName(path, children),
      ReflectionKind.Module,
      project,
    );
    page.comment = new Comment([{ kind: 'text', text: describePage(children) }]);
    project.registerReflection(page, undefined, undefined);
    project.addChild(page);
    for (const child of children) {
      child.parent = page;
      page.addChild(child);
    }
  }
}

function hasType(module: DeclarationReflection, name: string): boolean {
  const types = ReflectionKind.Interface | ReflectionKind.TypeAlias;
  return module.children?.some((child) => child.name === name && child.kindOf(types)) ?? false;
}

/** Returns a page's path, such as `hosting/models/Pull request` for `src/hosting/models/pull-request.ts`. */
function pageName(path: string, children: readonly DeclarationReflection[]): string {
  const [, family = '', room = '', file = ''] =
    /src\/(?:([^/]+)\/)?(?:(.*)\/)?([^/]+)\.ts$/.exec(path) ?? [];
  const folder = subpaths.includes(family) ? family : 'shared';
  // The emulator's sources have a folder for each API.
  const part = family === 'testing' || room === 'models' ? room : '';
  const classes = children.filter((child) => child.kindOf(ReflectionKind.Class));
  // An index file's page is named after the folder.
  const name = file === 'index' ? room || family : file;
  const title = classes.length === 1 ? classes[0]?.name : findTitle(name);
  return [folder, part, title].filter((each) => each !== '').join('/');
}

/** Returns the first sentence about a page's only class, or the names of the page's exports. */
function describePage(children: readonly DeclarationReflection[]): string {
  const [only, ...others] = children.filter((child) => child.kindOf(ReflectionKind.Class));
  const text = only?.comment?.summary.map((part) => part.text).join('') ?? '';
  const [sentence = ''] = /^.*?\.(?=\s|$)/s.exec(text) ?? [];
  if (others.length === 0 && sentence !== '') return sentence.replaceAll(/\s+/g, ' ');
  const names = children.map(({ name }) => `\`${name}\``);
  // The text starts with "Exports", because a leading name would look like a thrown error.
  return `Exports ${names.slice(0, 4).join(', ')}${names.length > 4 ? ' and more' : ''}.`;
}

/** Returns a title, such as `Pull request` for `pull-request`. */
function findTitle(file: string): string {
  const words = file.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
