import { readFile, rename, writeFile } from 'node:fs/promises';
import type { World } from './world.js';

/**
 * Reads a world from a JSON or YAML file (`.json`, else YAML): for `createEmulator({ seed })`.
 * @throws {Error} names what is wrong with the file, by line or by the path of the field
 */
export async function readWorld(path: string): Promise<World> {
  const text = await readFile(path, 'utf8');
  const { checkWorld } = await import('./schema.js');
  return checkWorld(
    path.endsWith('.json') ? fromJson(text, path) : await fromYaml(text, path),
    path,
  );
}

/** Writes a world to a JSON or YAML file: whole, or not at all. */
export async function writeWorld(path: string, world: World): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`;
  await writeFile(unfinished, path.endsWith('.json') ? asJson(world) : await asYaml(world));
  await rename(unfinished, path);
}

export function asJson(world: World): string {
  return `${JSON.stringify(world, null, 2)}\n`;
}

export async function asYaml(world: World): Promise<string> {
  const { stringify } = await import('yaml');
  // Without `&` and `*` for what stands twice: people read and change it.
  return stringify(world, { aliasDuplicateObjects: false });
}

function fromJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path}: expected JSON: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

async function fromYaml(text: string, path: string): Promise<unknown> {
  const { parse } = await import('yaml');
  try {
    return parse(text);
  } catch (cause) {
    throw new Error(`${path}: expected YAML: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}
