import { htmlPage } from './html-page.js';
import { escaped, pageStyle } from './page-style.js';
import type { Reply } from './reply.js';
import { statusScript } from './status-script.js';

/** Status of the emulator. */
export interface EmulatorStatus {
  /** The emulator's time in ISO 8601. */
  readonly now: string;
  /** Milliseconds by which a running clock is ahead of the present; null if the clock is fixed. */
  readonly ahead: number | null;
  /** Number of records of each API, by kind. */
  readonly families: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Last 50 requests, newest first, with credentials masked. */
  readonly requests: readonly {
    /** Number of the request since the start or the last reset, from 1. */
    readonly id: number;
    /** HTTP method. */
    readonly method: string;
    /** Path and query, at most 500 characters. */
    readonly path: string;
    /** Status of the response; 0 if there is none. */
    readonly status: number;
  }[];
  /** Number of requests since the start or the last reset. */
  readonly received: number;
  /** Planned faults. */
  readonly faults: readonly {
    /** Kind of the fault. */
    readonly kind: string;
    /** Description of the requests that it applies to. */
    readonly match: string;
    /** Number of requests that it still applies to; null for all. */
    readonly left: number | null;
  }[];
}

const mostOfPath = 500;

/** Shortens a path for the status, to bound the memory of each reader of status events. */
export function shownPath(path: string): string {
  return path.length > mostOfPath ? `${path.slice(0, mostOfPath)}…` : path;
}

/** Renders the status as a self-contained page that updates itself. */
export function statusPage(status: EmulatorStatus): Reply {
  // Only `<` can end a script element.
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
<span class="soft">Emulator time: <time id="now">${escaped(status.now)}</time></span>
<span class="actions">
<button data-post="clock" data-body='{"advance":3600}'>Advance 1 hour</button>
<button data-post="reset">Reset</button>
</span>
</header>
<section aria-labelledby="requests-title">
<div class="bar">
<h2 id="requests-title">Requests <span id="received" class="soft"></span></h2>
<input id="filter" type="search" placeholder="Filter: 404, POST, /pulls" aria-label="Filter requests">
</div>
<p id="none" class="soft">No requests yet.</p>
<table id="requests"><tbody></tbody></table>
</section>
<section aria-labelledby="faults-title">
<div class="bar"><h2 id="faults-title">Planned faults</h2><button data-delete="faults">Clear faults</button></div>
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
