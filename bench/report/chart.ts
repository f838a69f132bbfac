import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { CaseResult, Results } from '../result.js';

const own = '#c2410c';
const others = '#94a3b8';
/** Width of a column. Three columns and their labels fit on one page. */
const width = 190;

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

/** Draws each client's time as a multiple of the handwritten loop's. @returns An SVG image. */
export async function chart(results: Results): Promise<string> {
  const shown = Object.values(results).filter(
    ({ unit, rows }) => unit === 'ms' && rows[0]?.name === 'hand',
  );
  const spec: TopLevelSpec = {
    background: 'white',
    title: 'Time, as a multiple of the handwritten loop’s (less is better)',
    columns: 3,
    concat: shown.map(bars),
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
