import { splitSegments } from './router.js';

const shown = 3;

/**
 * Returns the three routes that are most similar to a request that matches no route.
 * @param routes methods and full paths, such as `GET /api/v3/repos/:owner/:repo`.
 */
export function nearestRoutes(routes: Iterable<string>, method: string, path: string): string[] {
  // No route has more than 12 segments, and comparing a longer path would be slow.
  const requested = splitSegments(path).slice(0, 12);
  return Array.from(routes, (route): [string, number] => {
    const [verb, pattern = ''] = route.split(' ');
    return [route, distance(splitSegments(pattern), requested) + (verb === method ? 0 : 0.5)];
  })
    .sort(([, a], [, b]) => a - b)
    .slice(0, shown)
    .map(([route]) => route);
}

/**
 * Returns the edit distance between a route and a path, in segments. A parameter matches any segment at
 * a low cost.
 */
function distance(pattern: readonly string[], requested: readonly string[]): number {
  let row = requested.map((_, index) => index + 1);
  row.unshift(0);
  for (const [index, part] of pattern.entries()) {
    // A missing prefix (`/api/v3`) is the most common mistake, so it costs less.
    const next = [(index + 1) * 0.3];
    for (const [at, segment] of requested.entries()) {
      const replaced = (row[at] ?? 0) + cost(part, segment);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 0.9, (next[at] ?? 0) + 0.9));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function cost(part: string, segment: string): number {
  if (part === segment) return 0;
  if (part.startsWith(':') || part.startsWith('*')) return 0.2;
  return part.slice(0, 3).toLowerCase() === segment.slice(0, 3).toLowerCase() ? 0.4 : 1;
}
