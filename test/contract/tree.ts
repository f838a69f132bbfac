/** The contract's type of a field, where it is not an object. */
export type Leaf = 'string' | 'integer' | 'boolean' | 'strings' | 'object';

/** The contract's fields of a resource, by name. */
export interface Tree {
  readonly [field: string]: Leaf | Tree | readonly [Tree];
}

/** A field of a tree that a value holds: where, and what the contract says it is. */
export interface Held {
  readonly path: readonly (string | number)[];
  readonly leaf: Leaf;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every field of the tree that the value holds, objects and arrays themselves included. */
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

/** Whether a node of a tree stands for an array of objects. */
export function isList(node: Tree | readonly [Tree]): node is readonly [Tree] {
  return Array.isArray(node);
}

/** Values that a field of this type must not accept, the likeliest mistake first. */
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

/** A copy of `value` with another value at `path`; shares what lies beside the path. */
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

/** Names of all fields of a tree, nested ones included. */
export function namesOf(tree: Tree): Set<string> {
  const names = new Set<string>();
  for (const [name, node] of Object.entries(tree)) {
    names.add(name);
    if (typeof node === 'string') continue;
    for (const inner of namesOf(isList(node) ? node[0] : node)) names.add(inner);
  }
  return names;
}
