import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../schema/unknown-values.js';
import { replaceFile, resolveFile } from './replace-file.js';
import type { World } from './world.js';

/**
 * Reads a world from a JSON or YAML file (`.json`, else YAML): for `createEmulator({ seed })`.
 * @throws {Error} names what is wrong with the file, by line or by the path of the field
 */
export async function readWorld(path: string): Promise<World> {
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

/** Writes a world to a JSON or YAML file, as a whole or not at all. Follows links; mode and owner of the file stay. */
export async function writeWorld(path: string, world: World): Promise<void> {
  const text = await worldText(path, world);
  await replaceFile(await resolveFile(path), text);
}

/** A world as the text of a file: JSON for `.json`, else YAML. */
export async function worldText(path: string, world: World): Promise<string> {
  return path.endsWith('.json') ? asJson(world) : await asYaml(world);
}

export function asJson(world: World): string {
  return `${JSON.stringify(world, null, 2)}\n`;
}

export async function asYaml(world: World): Promise<string> {
  const { stringify } = await import('yaml');
  // Without `&` and `*` for what stands twice: people read and change it.
  return stringify(world, { aliasDuplicateObjects: false });
}
