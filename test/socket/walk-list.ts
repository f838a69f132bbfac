import type { Page } from '../../src/transport/pagination/page-walker.js';
import type { Moving } from '../support/moving-lists.js';

interface Walked {
  readonly items: readonly unknown[];
  readonly cursors: readonly unknown[];
  readonly error: unknown;
}

/**
 * Walks a list page by page until `leave` returns true. Returns the items, cursors and error that
 * the consumer gets.
 */
export async function walk(
  moving: Moving,
  options: Parameters<Moving['list']>[0],
  leave: (page: Page<unknown>, count: number) => unknown = () => false,
): Promise<Walked> {
  const items: unknown[] = [];
  const cursors: unknown[] = [];
  try {
    for await (const page of moving.list(options).pages()) {
      items.push(...page.items);
      // Ports differ between servers.
      cursors.push(page.cursor?.replace(/:\d+/, ''));
      if (await leave(page, cursors.length)) break;
    }
  } catch (error) {
    return { items, cursors, error: Reflect.get(Object(error), 'code') ?? error };
  }
  return { items, cursors, error: undefined };
}
