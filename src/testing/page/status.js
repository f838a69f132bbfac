const at = (id) => document.getElementById(id);
const make = (tag, props = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), props);
  element.append(...children);
  return element;
};
const base = '/_emulator';
let status = await (await fetch(`${base}/state.json`)).json();
let open = 0; // the request whose details are shown

let received = Date.now();
function renderTime() {
  const passed = status.ahead === null ? 0 : Date.now() - received;
  at('now').textContent = new Date(Date.parse(status.now) + passed).toISOString();
}
setInterval(renderTime, 1000);

function render() {
  renderTime();
  at('received').textContent = `${status.received} received`;
  renderRequests();
  at('faults').replaceChildren(
    ...(status.faults.length === 0
      ? [make('li', { className: 'soft', textContent: 'none' })]
      : status.faults.map(({ kind, match, left }) =>
          make('li', {
            textContent:
              kind +
              ': ' +
              match +
              ', ' +
              (left === null ? 'always' : left === 1 ? 'once' : `${left} times`),
          }),
        )),
  );
  at('counts').replaceChildren(
    ...Object.entries(status.families).map(([family, counts]) =>
      make(
        'div',
        {},
        make('strong', { textContent: family }),
        make(
          'dl',
          {},
          ...Object.entries(counts).flatMap(([name, number]) => [
            make('dt', { className: 'soft', textContent: name }),
            make('dd', { textContent: number }),
          ]),
        ),
      ),
    ),
  );
}

const rows = new Map();
function renderRequests() {
  const words = at('filter').value.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = status.requests.filter((each) => {
    const text = `${each.status} ${each.method} ${each.path}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  at('none').hidden = shown.length > 0;
  at('none').textContent =
    status.requests.length > 0 ? 'No requests match the filter.' : 'No requests yet.';
  const body = at('requests').tBodies[0];
  const wanted = shown.flatMap((each) => {
    const key = `${each.id} ${each.status}`;
    const row = rows.get(key) ?? createRow(each);
    rows.set(key, row);
    return each.id === open ? [row, details] : [row];
  });
  // Changes only rows that differ, to keep focus and selection.
  wanted.forEach((row, index) => {
    if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null);
  });
  while (body.children.length > wanted.length) body.lastChild.remove();
  if (rows.size > 1000) rows.clear();
}

const details = make('tr', {}, make('td', { colSpan: 5 }));

function formatSize(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function createRow({ id, time, status: code, method, path, size }) {
  const show = make('button', { type: 'button', className: 'path', textContent: path });
  const row = make(
    'tr',
    { className: `request${code === 0 || code >= 400 ? ' bad' : ''}` },
    make('td', { className: 'time soft', title: time, textContent: time.slice(11, 19) }),
    make('td', { className: 'status', textContent: code || '–' }),
    make('td', { className: 'method', textContent: method }),
    make('td', {}, show),
    make('td', { className: 'size soft', textContent: formatSize(size) }),
  );
  row.onclick = async () => {
    if (open === id) open = 0;
    else {
      const { headers, body } = await (await fetch(`${base}/requests/${id}`)).json();
      const text =
        time +
        ', ' +
        formatSize(size) +
        '\n\n' +
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n') +
        (body === undefined
          ? ''
          : `\n\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}`);
      details.firstChild.replaceChildren(make('pre', { textContent: text }));
      open = id;
    }
    renderRequests();
  };
  return row;
}

/** Renders a value as a tree. Creates the content of a branch when it is opened. */
function branch(name, value) {
  if (typeof value !== 'object' || value === null) {
    return make(
      'div',
      { className: 'leaf' },
      make('span', { className: 'soft', textContent: `${name}: ` }),
      make('code', { textContent: JSON.stringify(value) }),
    );
  }
  const entries = Object.entries(value);
  const label = Array.isArray(value)
    ? `${name} (${entries.length})`
    : name +
      ((value.name ?? value.login ?? value.title ?? value.tagName ?? value.subject)
        ? ` ${value.name ?? value.login ?? value.title ?? value.tagName ?? value.subject}`
        : '');
  const element = make('details', {}, make('summary', { textContent: label }));
  element.addEventListener('toggle', () => {
    if (element.open && element.children.length === 1)
      element.append(...entries.map(([key, each]) => branch(key, each)));
  });
  return element;
}
at('browse').addEventListener('toggle', async () => {
  if (!at('browse').open) return;
  const world = await (await fetch(`${base}/world.json`)).json();
  at('tree').replaceChildren(...Object.entries(world).map(([name, value]) => branch(name, value)));
});

at('filter').oninput = renderRequests;
const connections = await (await fetch(`${base}/connections.json`)).json();
at('connections').replaceChildren(
  ...connections.flatMap(({ name, url, credentials }) => [
    make('dt', { textContent: name }),
    make(
      'dd',
      {},
      ...Object.entries({ url, ...credentials }).flatMap(([label, value]) => [
        make(
          'span',
          {},
          make('span', { className: 'soft', textContent: label }),
          ' ',
          make('code', { textContent: value }),
        ),
        ' ',
      ]),
    ),
  ]),
);

setInterval(async () => {
  try {
    status = await (await fetch(`${base}/state.json`)).json();
    received = Date.now();
    at('live').textContent = 'live';
    render();
  } catch {
    at('live').textContent = 'disconnected';
  }
}, 500);
render();
