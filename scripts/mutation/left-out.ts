// What Stryker leaves alone: faults that no test should notice, or that none can.
import type { Ignorer } from '@stryker-mutator/api/ignore';
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

/** What is read of Babel's tree. */
interface Visited {
  readonly node: unknown;
  readonly parent?: {
    readonly type: string;
    /** Of calls alone. */
    readonly callee?: { readonly type: string; readonly name?: unknown };
    readonly arguments?: readonly unknown[];
  };
}

/** Arguments by the name of what is called, or made. */
const leftOut: readonly { name: RegExp; only?: number; why: string }[] = [
  {
    name: /^(\w*Error|Unreadable|notRaw|notKey|unauthorized|forbidden|unprocessable)$/,
    only: 0,
    why: 'the words of an error are not held by tests',
  },
  { name: /^wrongSetting$/, only: 2, why: 'the words of an error are not held by tests' },
  {
    name: /^invalid(?:Input|Option)$/,
    only: 1,
    why: 'the words of an error are not held by tests',
  },
  { name: /^openEnum$/, why: 'only types know the known values' },
];

const ignorer: Ignorer = {
  shouldIgnore(path) {
    // `as`: Stryker hands over what Babel visits.
    const { node, parent } = path as Visited;
    if (parent?.callee?.type !== 'Identifier') return undefined;
    const called = String(parent.callee.name);
    const place = parent.arguments?.indexOf(node) ?? -1;
    if (place < 0) return undefined;
    return leftOut.find(({ name, only = place }) => only === place && name.test(called))?.why;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, 'left-out', ignorer)];
