import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Results } from '../result.js';

/** A drawing of how long each client takes, beside the hand loop, as SVG. */
export async function chart(results: Results): Promise<string> {
  const shown = Object.values(results).filter(
    ({ unit, rows }) => unit === 'ms' && rows[0]?.name === 'hand',
  );
  const spec: TopLevelSpec = {
    background: 'white',
    title: 'Time, as a multiple of the hand loop’s (less is better)',
    columns: 2,
    concat: shown.map(({ title, rows }) => ({
      title,
      width: 280,
      height: { step: 18 },
      data: { values: rows.map(({ name, ratio }) => ({ name, ratio })) },
      encoding: {
        y: { field: 'name', type: 'nominal', title: null, sort: null },
        x: { field: 'ratio', type: 'quantitative', title: null },
      },
      layer: [
        {
          mark: { type: 'bar' },
          encoding: {
            color: {
              condition: { test: "datum.name === 'triforge'", value: '#c2410c' },
              value: '#94a3b8',
            },
          },
        },
        {
          mark: { type: 'text', align: 'left', dx: 3 },
          encoding: { text: { field: 'ratio', type: 'quantitative', format: '.2f' } },
        },
      ],
    })),
  };
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  return `${svg}\n`;
}
