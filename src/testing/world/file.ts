import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../schema/unknown-values.js';
import { replaceFile, resolveFile } from './replace-file.js';
import type { Dataset } from './world.js';

/**
 * Reads a world for `createEmulator({ seed })` from a file, as JSON if the name ends in `.json`,
 * otherwise as YAML.
 * @throws {Error} if the file is invalid. The message names the line or the field's path.
 */
export async function readWorld(path: string): Promise<Dataset> {
  const text = decodeText(await readFile(path), path);
  const { checkWorld } = await import('./schema.js');
  const json = path.endsWith('.json');
  const { parse }: { parse(text: string): unknown } = json ? JSON : await import('yaml');
  let data: unknown;
  try {
    data = parse(text);
  } catch (cause) {
    const why = errorMessage(cause);
    throw new Error(`${path}: must be ${json ? 'JSON' : 'YAML'} (${why})`, { cause });
  }
  return checkWorld(data, path);
}

/** Decodes a file, without a byte order mark. @throws {Error} if the file is not UTF-8. */
function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(`${path}: must be UTF-8`, { cause });
  }
}

/**
 * Writes a world to a file atomically, as JSON if the name ends in `.json`, otherwise as YAML. Follows
 * symbolic links. Keeps the file's mode, and its owner if the process may set it.
 */
export async function writeWorld(path: string, world: Dataset): Promise<void> {
  const text = await worldText(path, world);
  await replaceFile(await resolveFile(path), text);
}

/** Serializes a world as JSON if the path ends in `.json`, otherwise as YAML. */
export async function worldText(path: string, world: Dataset): Promise<string> {
  if (path.endsWith('.json')) return `${JSON.stringify(world, null, 2)}\n`;
  const { Document, visit } = await import('yaml');
  // Omits YAML anchors (`&`, `*`), because people read and edit the file.
  const document = new Document(world, { aliasDuplicateObjects: false });
  // Quotes strings that start with whitespace, because the library changes some of these strings if
  // they are unquoted.
  visit(document, {
    Scalar: (_key, node) => {
      if (/^\s/.test(String(node.value))) node.type = 'QUOTE_DOUBLE';
    },
  });
  // Doesn't fold lines, because the library changes folded strings that are nested about 30 levels deep.
  return document.toString({ lineWidth: 0 });
}
