import {
  type Application,
  type CommentDisplayPart,
  Converter,
  DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';
import { subpaths } from '../entry-points.js';

/** Classes that users make with `new`; of all others they get instances. */
const made = /(?:Client|Error|Flow|Clock)$/;

/** Teaches TypeDoc what readers of this package want to see, and where. */
export function load(app: Application): void {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Constructor)) return;
    if (!made.test(reflection.parent?.name ?? '')) context.project.removeReflection(reflection);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    linkThrown(project);
    groupByFile(project);
  });
  // The theme for VitePress rewrites the anchors of some links to properties, and of no targets.
  app.renderer.on(MarkdownPageEvent.END, (page) => {
    if (page.contents === undefined) return;
    page.contents = page.contents.replaceAll(/\bproperty-\w[\w-]*/g, (anchor) =>
      anchor.replaceAll('_', '-'),
    );
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
  const title = classes.length === 1 ? classes[0]?.name : titleOf(name);
  return [folder, part, title].filter((each) => each !== '').join('/');
}

/** `pull-request` → `Pull request`. */
function titleOf(file: string): string {
  const words = file.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `@throws {NotFoundError} unknown repository` begins with a link to the class. */
function linkThrown(project: ProjectReflection): void {
  const classes = new Map<string, DeclarationReflection>();
  for (const module of project.children ?? []) {
    for (const child of module.children ?? []) {
      if (child.kindOf(ReflectionKind.Class)) classes.set(child.name, child);
    }
  }
  for (const { comment } of Object.values(project.reflections)) {
    for (const tag of comment?.blockTags ?? []) {
      if (tag.tag !== '@throws' || tag.typeAnnotation === undefined) continue;
      const names = tag.typeAnnotation.replaceAll(/[{}\s]/g, '').split('|');
      tag.content.unshift(...names.flatMap((name, index) => thrown(name, index)));
      delete tag.typeAnnotation;
    }
  }

  function thrown(name: string, index: number): CommentDisplayPart[] {
    const target = classes.get(name);
    const shown: CommentDisplayPart = target
      ? { kind: 'inline-tag', tag: '@linkcode', text: name, target }
      : { kind: 'code', text: `\`${name}\`` };
    return [...(index > 0 ? [space(' or ')] : []), shown, space(' ')];
  }
}

function space(text: string): CommentDisplayPart {
  return { kind: 'text', text };
}
