import { fileURLToPath } from 'node:url';
import {
  type Application,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { subpaths } from '../entry-points.js';
import { type MethodSection, methodSections } from './endpoint-list.js';

/** Classes that users make with `new`; of all others they get instances. */
const made = /(?:Client|Error|Flow|Clock)$/;

const root = fileURLToPath(new URL('../..', import.meta.url));
const errorsPage = '/docs/errors.md';

/** Teaches TypeDoc what readers of this package want to see, and where. */
export async function load(app: Application): Promise<void> {
  const methods = await methodSections(root);
  const sections = new Map(methods.map((section) => [section.key, section]));
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Constructor)) return;
    if (!made.test(reflection.parent?.name ?? '')) context.project.removeReflection(reflection);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    // What resources have in common is nothing that users call.
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
      // The theme for VitePress rewrites the anchors of some links to properties, and of no targets.
      .replaceAll(/\bproperty-\w[\w-]*/g, (anchor) => anchor.replaceAll('_', '-'))
      .replaceAll(
        /^`((?!Type|Range)\w+Error)` ?/gm,
        (_, name: string) => `[\`${name}\`](${errorsPage}#${name.toLowerCase()}): `,
      );
  });
}

/** A method that sends something is told as in the list of endpoints: what follows its heading and signature. */
function withSections(part: string, sections: ReadonlyMap<string, MethodSection>): string {
  const [, className = ''] = /^## (\w+)/.exec(part) ?? [];
  const method = /^(#### (\w+)\(\)[^\n]*\n\n```ts\n.*?\n```\n)(.*?)(?=^#{2,4} |(?![\s\S]))/gms;
  return part.replaceAll(method, (whole, head: string, name: string, body: string) => {
    const section = sections.get(`${className}.${name}`);
    if (!section) return whole;
    const [, answer] = /^##### Returns\n\n([^\n]+)/m.exec(body) ?? [];
    const examples = section.examples.map((code) => `\n\`\`\`ts\n${code}\n\`\`\`\n`);
    return `${head}\n\`${section.http}\`\n\n${section.text({ errors: errorsPage, answer })}${examples.join('')}\n`;
  });
}

/** One page for each source file, in the folder of its family: what belongs together is read together. */
function groupByFile(project: ProjectReflection): void {
  const files = new Map<string, DeclarationReflection[]>();
  for (const module of project.children ?? []) {
    for (const child of [...(module.children ?? [])]) {
      // A model is an interface and a schema of one name; the interface has the documents.
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

/** `src/hosting/pulls.ts` → `hosting/Pulls`, `src/hosting/models/pull-request.ts` → `hosting/models/Pull request`. */
function pageName(path: string, children: readonly DeclarationReflection[]): string {
  const [, family = '', room = '', file = ''] =
    /src\/(?:([^/]+)\/)?(?:(.*)\/)?([^/]+)\.ts$/.exec(path) ?? [];
  const folder = subpaths.includes(family) ? family : 'shared';
  // The emulator has a part for each family.
  const part = family === 'testing' || room === 'models' ? room : '';
  const classes = children.filter((child) => child.kindOf(ReflectionKind.Class));
  // An index is known by its folder.
  const name = file === 'index' ? room || family : file;
  const title = classes.length === 1 ? classes[0]?.name : findTitle(name);
  return [folder, part, title].filter((each) => each !== '').join('/');
}

/** `pull-request` → `Pull request`. */
function findTitle(file: string): string {
  const words = file.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
