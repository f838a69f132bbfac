import { htmlPage } from './html-page.js';
import { escapeHtml } from './page-style.js';
import type { Reply } from './reply.js';
import type { EmulatorStatus } from './status.js';
import { statusScript } from './status-script.js';

/** Connection details of one of the APIs. */
export interface Connection {
  /** Name of the API. */
  readonly name: string;
  /** Base URL. */
  readonly url: string;
  /** Valid credentials of the seed world, by name. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Renders the status as a self-contained page that updates itself. */
export function statusPage(status: EmulatorStatus, connections: readonly Connection[]): Reply {
  // Escapes `<`, because `</script>` would end the element.
  const state = JSON.stringify(status).replaceAll('<', '\\u003c');
  const body = `<header class="bar"><h1>triforge emulator</h1><span id="live" class="soft" role="status">connecting</span></header>
<section aria-labelledby="connect-title">
<h2 id="connect-title">Connect</h2>
<dl id="connections">${connections.map(renderConnection).join('')}</dl>
</section>
<section aria-labelledby="requests-title">
<div class="bar">
<h2 id="requests-title">Requests <span id="received" class="soft"></span></h2>
<input id="filter" type="search" placeholder="Filter: 404, POST, /pulls" aria-label="Filter requests">
</div>
<p id="none" class="soft">No requests yet.</p>
<table id="requests"><tbody></tbody></table>
</section>
<section aria-labelledby="faults-title">
<div class="bar"><h2 id="faults-title">Pending faults</h2><button data-delete="faults">Cancel all</button></div>
<ul id="faults"></ul>
<form id="fault">
<label>Fault <select name="kind">
<option value="response">Respond with a status</option>
<option value="reset">Reset the connection</option>
<option value="truncate">Truncate the body</option>
<option value="slow">Send the body slowly</option>
<option value="malformed">Send malformed HTTP</option>
<option value="delay">Delay the response</option>
<option value="hang">Never respond</option>
<option value="refuse">Refuse connections</option>
</select></label>
<label data-for="response">Status <input name="status" type="number" min="200" max="599" value="503"></label>
<label data-for="slow delay refuse">Milliseconds <input name="ms" type="number" min="1" value="1000"></label>
<label>Method <input name="method" size="7" placeholder="any"></label>
<label>Path contains <input name="path" placeholder="any"></label>
<label>Times <input name="times" type="number" min="1" value="1"></label>
<button class="main">Add fault</button>
<span id="rejected" class="bad" role="alert"></span>
</form>
</section>
<section aria-labelledby="clock-title">
<div class="bar"><h2 id="clock-title">Clock</h2><time id="now">${escapeHtml(status.now)}</time>
<span class="actions"><button data-post="clock" data-body='{"advance":3600}'>Advance 1 h</button></span></div>
</section>
<section aria-labelledby="state-title">
<div class="bar"><h2 id="state-title">State</h2>
<span class="actions"><a href="/_emulator/world.json" download="world.json">Export</a><a href="/_emulator/license" download="license.ghl">License file</a><button data-post="reset">Reset</button></span></div>
<div id="counts"></div>
<details id="browse"><summary>Browse</summary><div id="tree"></div></details>
</section>
<script type="application/json" id="status">${state}</script>
`;
  return htmlPage(200, { title: 'triforge emulator', body, style, script: statusScript });
}

function renderConnection({ name, url, credentials }: Connection): string {
  const values = Object.entries({ url, ...credentials }).map(
    ([label, value]) =>
      `<span><span class="soft">${label}</span> <code>${escapeHtml(value)}</code></span>`,
  );
  return `<dt>${name}</dt><dd>${values.join(' ')}</dd>`;
}

const style = `
  .bar { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: .5rem; }
  .bar h2 { margin: 0; }
  .actions { display: flex; gap: .75rem; margin-left: auto; align-items: center; }
  #filter { flex: 0 1 18rem; min-width: 0; }
  a { color: var(--accent); }
  .bad, tr.bad td.status { color: var(--bad); }
  table { border-collapse: collapse; width: 100%; table-layout: fixed; }
  td { padding: .3rem .5rem .3rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; }
  td.time { width: 5.5rem; } td.status { width: 3.2rem; } td.method { width: 5rem; } td.size { width: 5.5rem; text-align: right; } td.copy { width: 4.5rem; padding-right: 0; text-align: right; }
  tr.request { cursor: pointer; }
  tr.bad td.status { font-weight: 600; }
  .copy button { font-size: .8rem; padding: .1rem .5rem; }
  .path { all: unset; cursor: pointer; } .path:focus-visible { outline: 2px solid var(--accent); }
  pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow-y: auto; }
  ul { margin: 0; padding-left: 1.2rem; }
  form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin-top: .75rem; }
  label { display: grid; color: var(--soft); } label > * { color: var(--ink); height: 2.35rem; }
  input[type=number] { width: 6rem; }
  #connections { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.25rem; margin: 0; }
  #connections dd { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; overflow-wrap: anywhere; }
  #connections code { user-select: all; }
  #counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: 1rem; }
  #counts dl { display: grid; grid-template-columns: 1fr auto; margin: .25rem 0; } #counts dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
  details details { margin-left: 1rem; }
  summary { cursor: pointer; overflow-wrap: anywhere; }
  .leaf { margin-left: 1rem; overflow-wrap: anywhere; }
  [hidden] { display: none !important; }
  @media (max-width: 40rem) {
    #filter { flex: 1 1 100%; }
    #connections { grid-template-columns: 1fr; gap: 0; } #connections dd { margin-bottom: .6rem; }
    td.time, td.size { width: 0; padding-inline: 0; font-size: 0; }
    td.method { width: 3.6rem; } td.status { width: 2.4rem; } td.copy { width: 3.6rem; }
  }
`;
