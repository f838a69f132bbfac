/** Type of a field in the contract, if it isn't an object with specified fields. */
export type Leaf = 'string' | 'integer' | 'boolean' | 'strings' | 'object';

/** A contract resource's fields, by name. */
export interface Tree {
  readonly [field: string]: Leaf | Tree | readonly [Tree];
}

/** A field in a value: its path and its type in the contract. */
export interface Held {
  readonly path: readonly (string | number)[];
  readonly leaf: Leaf;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns every field that the tree declares and the value contains, including fields of nested
 * objects and arrays.
 */
export function heldFields(
  tree: Tree,
  value: unknown,
  base: readonly (string | number)[] = [],
): Held[] {
  if (!isRecord(value)) return [];
  return Object.entries(tree).flatMap(([name, node]): Held[] => {
    if (!(name in value)) return [];
    const path = [...base, name];
    const inner = value[name];
    if (typeof node === 'string') return [{ path, leaf: node }];
    if (!isList(node)) return [{ path, leaf: 'object' }, ...heldFields(node, inner, path)];
    const items = Array.isArray(inner) ? inner : [];
    return [
      { path, leaf: 'strings' },
      ...items.flatMap((item, index) => heldFields(node[0], item, [...path, index])),
    ];
  });
}

/** Returns whether a tree node is an array of objects. */
export function isList(node: Tree | readonly [Tree]): node is readonly [Tree] {
  return Array.isArray(node);
}

/** Returns values that a field of this type must reject, starting with the most likely mistake. */
export function wrongValues(leaf: Leaf): readonly unknown[] {
  switch (leaf) {
    case 'string':
      return [42, true, { wrong: 1 }, ['wrong']];
    case 'integer':
      return ['42', true, { wrong: 1 }, 1.5];
    case 'boolean':
      return ['true', 1, { wrong: 1 }];
    case 'strings':
      return ['wrong', 42, { wrong: 1 }];
    case 'object':
      return ['wrong', 42, true];
  }
}

/**
 * Returns a copy of `value` with another value at `path`. The copy shares all other parts with
 * `value`.
 */
export function replaced(
  value: unknown,
  path: readonly (string | number)[],
  replacement: unknown,
): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === first ? replaced(item, rest, replacement) : item,
    );
  }
  if (!isRecord(value)) throw new Error(`nothing to replace at ${path.join('.')}`);
  return { ...value, [first]: replaced(value[first], rest, replacement) };
}

/** Returns the names of all fields in a tree, including nested fields. */
export function getNames(tree: Tree): Set<string> {
  const names = new Set<string>();
  for (const [name, node] of Object.entries(tree)) {
    names.add(name);
    if (typeof node === 'string') continue;
    for (const inner of getNames(isList(node) ? node[0] : node)) names.add(inner);
  }
  return names;
}
