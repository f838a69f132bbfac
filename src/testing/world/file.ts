import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../schema/unknown-values.js';
import { replaceFile, resolveFile } from './replace-file.js';
import type { Dataset } from './world.js';

/**
 * Reads a world from a file for `createEmulator({ seed })`: JSON if the name ends in `.json`, otherwise YAML.
 * @throws {Error} if the file is invalid. Names the line, or the path of the field.
 */
export async function readWorld(path: string): Promise<Dataset> {
  const text = await readFile(path, 'utf8');
  const { checkWorld } = await import('./schema.js');
  const json = path.endsWith('.json');
  const { parse }: { parse(text: string): unknown } = json ? JSON : await import('yaml');
  let data: unknown;
  try {
    data = parse(text);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new Error(`${path}: expected ${json ? 'JSON' : 'YAML'}: ${why}`, { cause });
  }
  return checkWorld(data, path);
}

/**
 * Writes a world to a file atomically: JSON if the name ends in `.json`, otherwise YAML. Follows links, and
 * keeps the file's mode and owner.
 */
export async function writeWorld(path: string, world: Dataset): Promise<void> {
  const text = await worldText(path, world);
  await replaceFile(await resolveFile(path), text);
}

/** Serializes a world: JSON for `.json`, otherwise YAML. */
export async function worldText(path: string, world: Dataset): Promise<string> {
  return path.endsWith('.json') ? asJson(world) : await asYaml(world);
}

export function asJson(world: Dataset): string {
  return `${JSON.stringify(world, null, 2)}\n`;
}

export async function asYaml(world: Dataset): Promise<string> {
  const { Document, visit } = await import('yaml');
  // Omits YAML anchors (`&`, `*`), because people read and edit the file.
  const document = new Document(world, { aliasDuplicateObjects: false });
  // The library changes some texts that start with spaces or line breaks, unless they are quoted.
  visit(document, {
    Scalar: (_key, node) => {
      if (/^\s/.test(String(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  // Doesn't fold lines, because the library changes folded texts from about 30 levels of nesting.
  return document.toString({ lineWidth: 0 });
}
