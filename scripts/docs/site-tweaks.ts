import {
  type Application,
  type CommentDisplayPart,
  Converter,
  type DeclarationReflection,
  type ProjectReflection,
  ReflectionKind,
} from 'typedoc';

/** Classes that users make with `new`; of all others they get instances. */
const made = /(?:Client|Error|Flow|Clock)$/;

/** Teaches typedoc what readers of this package want to see, and what not. */
export function tweak(app: Application): void {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Constructor)) return;
    if (!made.test(reflection.parent?.name ?? '')) context.project.removeReflection(reflection);
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    nameModules(project);
    linkThrown(project);
  });
}

/** Modules are called as they are imported. */
function nameModules(project: ProjectReflection): void {
  for (const module of project.children ?? []) {
    if (!module.kindOf(ReflectionKind.Module)) continue;
    module.name = module.name === 'index' ? 'triforge' : `triforge/${module.name}`;
  }
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
