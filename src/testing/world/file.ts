import { randomUUID } from 'node:crypto';
import { chmod, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { errorMessage } from '../../schema/unknown-values.js';
import { checkWorld, type Dataset } from './world.js';

/**
 * Reads a world for `createEmulator({ seed })` from a file, as JSON if the name ends in `.json`,
 * otherwise as YAML.
 * @throws {Error} if the file is invalid. The message names the line or the field's path.
 */
export async function readWorld(path: string): Promise<Dataset> {
  const json = path.endsWith('.json');
  const { parse }: { parse(text: string): unknown } = json ? JSON : await import('yaml');
  let data: unknown;
  try {
    // Throws if the bytes are not UTF-8. Removes a byte order mark.
    data = parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)));
  } catch (cause) {
    const why = errorMessage(cause);
    throw new Error(`${path}: must be ${json ? 'JSON' : 'YAML'} (${why})`, { cause });
  }
  return checkWorld(data, path);
}

/**
 * Writes a world to a file atomically, as JSON if the name ends in `.json`, otherwise as YAML. Follows
 * symbolic links. Keeps the file's mode. Only the owner can read a new file, because worlds contain
 * tokens.
 */
export async function writeWorld(path: string, world: Dataset): Promise<void> {
  const text = await worldText(path, world);
  // The rename would replace a link or a device.
  const target = await realpath(path).catch(() => path);
  const before = await stat(target).catch(() => undefined);
  if (before && !before.isFile()) throw new Error(`${path}: must be a regular file`);
  const part = `${target}.${randomUUID()}.part`;
  try {
    await writeFile(part, text, { flag: 'wx', mode: 0o600 });
    if (before) await chmod(part, before.mode);
    await rename(part, target);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
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
