import { htmlPage } from './html-page.js';
import { escaped, pageStyle } from './page-style.js';
import type { Reply } from './reply.js';
import { statusScript } from './status-script.js';

/** What the emulator says of itself. */
export interface EmulatorStatus {
  /** The emulator's time, ISO 8601. */
  readonly now: string;
  /** Milliseconds by which a running clock is ahead of the present; null if the clock is fixed. */
  readonly ahead: number | null;
  /** How much each family holds, by the names of things. */
  readonly families: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The last requests, newest first, credentials masked. */
  readonly requests: readonly {
    /** Counts from 1 since the start or the last reset. */
    readonly id: number;
    /** HTTP method. */
    readonly method: string;
    /** Path and query, of at most 500 characters. */
    readonly path: string;
    /** 0 where there was no answer. */
    readonly status: number;
  }[];
  /** How many requests there were since the start or the last reset. */
  readonly received: number;
  /** Faults that still wait for a request. */
  readonly faults: readonly {
    /** Kind of the fault. */
    readonly kind: string;
    /** Which requests it is for, in words. */
    readonly match: string;
    /** How many requests it will meet; null for all. */
    readonly left: number | null;
  }[];
}

const mostOfPath = 500;

/** The part of a path that the status shows. Bounds what each reader of its events has in memory. */
export function shownPath(path: string): string {
  return path.length > mostOfPath ? `${path.slice(0, mostOfPath)}…` : path;
}

/** The status as a page that loads nothing from elsewhere and updates itself. */
export function statusPage(status: EmulatorStatus): Reply {
  // Inside a script element only `<` could end it.
  const state = JSON.stringify(status).replaceAll('<', '\\u003c');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>triforge emulator</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>triforge emulator</h1>
<span id="live" class="soft" role="status">connecting</span>
<span class="soft">its time: <time id="now">${escaped(status.now)}</time></span>
<span class="actions">
<button data-post="clock" data-body='{"advance":3600}'>An hour later</button>
<button data-post="reset">Reset</button>
</span>
</header>
<section aria-labelledby="requests-title">
<div class="bar">
<h2 id="requests-title">Requests <span id="received" class="soft"></span></h2>
<input id="filter" type="search" placeholder="Filter: 404, POST, /pulls" aria-label="Filter requests">
</div>
<p id="none" class="soft">None yet.</p>
<table id="requests"><tbody></tbody></table>
</section>
<section aria-labelledby="faults-title">
<div class="bar"><h2 id="faults-title">Faults to come</h2><button data-delete="faults">Take back</button></div>
<ul id="faults"></ul>
</section>
<section aria-labelledby="state-title">
<div class="bar"><h2 id="state-title">State</h2>
<span class="actions"><a href="/_emulator/world.json" download="world.json">Export</a><a href="/_emulator/license" download="license.ghl">License file</a></span></div>
<div id="counts"></div>
<details id="browse"><summary>Browse</summary><div id="tree"></div></details>
</section>
<script type="application/json" id="status">${state}</script>
<script type="module">${statusScript}</script>
</body>
</html>
`;
  return htmlPage(200, html, { style, script: statusScript });
}

const style = `${pageStyle}
  header, .bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
  .bar { justify-content: space-between; margin-bottom: .5rem; }
  .bar h2 { margin: 0; }
  .actions { display: flex; gap: .75rem; margin-left: auto; align-items: center; }
  #filter { flex: 0 1 18rem; min-width: 0; }
  a { color: var(--accent); }
  table { border-collapse: collapse; width: 100%; table-layout: fixed; }
  td { padding: .3rem .5rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
  td.status { width: 3.2rem; } td.method { width: 5rem; } td.copy { width: 4.5rem; padding-right: 0; text-align: right; }
  tr.request { cursor: pointer; }
  tr.bad td.status { color: var(--bad); font-weight: 600; }
  .copy button { font-size: .8rem; padding: .1rem .5rem; }
  .path { all: unset; cursor: pointer; } .path:focus-visible { outline: 2px solid var(--accent); }
  pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow-y: auto; }
  ul { margin: 0; padding-left: 1.2rem; }
  #counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; }
  dl { display: grid; grid-template-columns: 1fr auto; margin: .25rem 0; } dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
  details details { margin-left: 1rem; }
  summary { cursor: pointer; overflow-wrap: anywhere; }
  .leaf { margin-left: 1rem; overflow-wrap: anywhere; }
  [hidden] { display: none; }
  @media (max-width: 40rem) {
    .actions { margin-left: 0; }
    #filter { flex: 1 1 100%; }
    td.method { width: 3.6rem; } td.status { width: 2.4rem; } td.copy { width: 3.6rem; }
  }
`;
