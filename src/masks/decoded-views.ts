/** A text with one way of writing undone, and where its characters stand in the original. */
export interface DecodedView {
  readonly text: string;
  /** Where each character, and the end, begins in the original; undefined for the original itself. */
  readonly starts: readonly number[] | undefined;
  /** Characters stand for octets of UTF-8. */
  readonly isOctets: boolean;
}

/**
 * A text as it is, and with each way undone in which servers write what they echo: percent-encoding,
 * once and twice, forms, JSON (also percent-encoded) and HTML. Linear: a view for each sign that is there.
 */
export function decodedViews(text: string): DecodedView[] {
  const raw: DecodedView = { text, starts: undefined, isOctets: false };
  const views = [raw];
  const add = (view: DecodedView | undefined) => {
    if (view) views.push(view);
    return view;
  };
  const once = add(octetsOf(raw));
  const twice = once && add(octetsOf(once));
  for (const view of [raw, once, twice]) if (view) add(unescaped(view));
  add(withoutEntities(raw));
  if (text.includes('+')) {
    const form = decode(raw, /\+/g, () => ' ', false);
    add(octetsOf(form) ?? form);
  }
  return views;
}

function octetsOf(view: DecodedView): DecodedView | undefined {
  if (!view.text.includes('%')) return undefined;
  return decode(
    view,
    /%([\da-f]{2})/gi,
    (octet) => String.fromCharCode(Number.parseInt(octet, 16)),
    true,
  );
}

const short: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescaped(view: DecodedView): DecodedView | undefined {
  if (!view.text.includes('\\')) return undefined;
  return decode(
    view,
    // Nobody escapes another letter, nor what is not ASCII: a backslash before it is text.
    /\\(u[\da-f]{4}|x[\da-f]{2}|[bfnrt]|[ -~](?<![a-z\d]))/gi,
    (sign) =>
      sign.length === 1
        ? (short[sign] ?? sign)
        : String.fromCharCode(Number.parseInt(sign.slice(1), 16)),
    view.isOctets,
  );
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

function withoutEntities(view: DecodedView): DecodedView | undefined {
  if (!view.text.includes('&')) return undefined;
  return decode(
    view,
    /&(amp|apos|gt|lt|quot|#\d{1,7}|#x[\da-f]{1,6});/gi,
    (name) => {
      const known = named[name.toLowerCase()];
      if (known !== undefined) return known;
      const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return String.fromCodePoint(Math.min(point, 0x10ffff));
    },
    false,
  );
}

function decode(
  view: DecodedView,
  pattern: RegExp,
  character: (sign: string) => string,
  isOctets: boolean,
): DecodedView {
  const { text: given, starts: origins } = view;
  const starts: number[] = [];
  const originOf = (at: number) => origins?.[at] ?? at;
  let text = '';
  let at = 0;
  const keep = (end: number) => {
    text += given.slice(at, end);
    for (; at < end; at++) starts.push(originOf(at));
  };
  for (const match of given.matchAll(pattern)) {
    keep(match.index);
    const decoded = character(match[1] ?? '');
    text += decoded;
    for (let unit = 0; unit < decoded.length; unit++) starts.push(originOf(at));
    at += match[0].length;
  }
  keep(given.length);
  starts.push(originOf(given.length));
  return { text, starts, isOctets };
}
