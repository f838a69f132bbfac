import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { CaseResult, Curve, Results } from '../result.js';

const own = '#c2410c';
const wide = '#eab308';
const others = '#94a3b8';
/** Width of a column. Three columns and their labels fit on one page. */
const width = 190;

/** Draws the clients' memory use over the course of a run. */
function course(title: string, { x, y, points }: Curve) {
  return {
    title,
    width,
    height: 140,
    data: { values: points.map((point) => ({ ...point })) },
    mark: { type: 'line' as const, strokeWidth: 1 },
    encoding: {
      x: { field: 'x', type: 'quantitative' as const, title: x },
      y: { field: 'y', type: 'quantitative' as const, title: y },
      color: {
        field: 'name',
        type: 'nominal' as const,
        title: null,
        scale: {
          domain: ['triforge', 'triforge, 8 pages', 'hand'],
          range: [own, wide, others],
        },
      },
    },
  };
}

const bars = ({ title, rows }: CaseResult) => ({
  title,
  width,
  height: { step: 14 },
  data: { values: rows.map(({ name, ratio }) => ({ name, ratio })) },
  encoding: {
    y: { field: 'name', type: 'nominal' as const, title: null, sort: null },
    x: { field: 'ratio', type: 'quantitative' as const, title: null },
  },
  layer: [
    {
      mark: { type: 'bar' as const },
      encoding: {
        color: {
          condition: { test: "indexof(datum.name, 'triforge') === 0", value: own },
          value: others,
        },
      },
    },
    {
      mark: { type: 'text' as const, align: 'left' as const, dx: 3 },
      encoding: { text: { field: 'ratio', type: 'quantitative' as const, format: '.2f' } },
    },
  ],
});

/**
 * Draws each client's memory use, and its time as a multiple of the hand loop's.
 * @returns An SVG image.
 */
export async function chart(results: Results): Promise<string> {
  const shown = Object.values(results).filter(
    ({ unit, rows }) => unit === 'ms' && rows[0]?.name === 'hand',
  );
  const spec: TopLevelSpec = {
    background: 'white',
    title: 'Time, as a multiple of the hand loop’s, and memory (less is better)',
    columns: 3,
    concat: [
      ...shown.map(bars),
      ...Object.values(results).flatMap(({ title, curve }) =>
        curve ? [course(title, curve)] : [],
      ),
    ],
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
