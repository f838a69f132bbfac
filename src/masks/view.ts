interface Rewriting {
  readonly source: View;
  /** Matches the rewritten parts. Must not have groups. */
  readonly pattern: RegExp;
  readonly write: (part: string) => string;
}

/** A rewritten part, with its start and end in the source and in the view. */
interface ViewPart {
  readonly sourceStart: number;
  readonly sourceEnd: number;
  readonly start: number;
  readonly end: number;
}

/** A string, or a rewritten string that maps its positions back to the original string. */
export class View {
  readonly text: string;
  readonly #rewriting: Rewriting | undefined;
  /**
   * Rewritten parts. Computed when a position is first needed, because most views contain no
   * secret.
   */
  #parts: readonly ViewPart[] | undefined;

  /** @param rewriting must produce a string of the same length as `text`. */
  constructor(text: string, rewriting?: Rewriting) {
    this.text = text;
    this.#rewriting = rewriting;
  }

  /** Rewrites each match of a pattern without groups. Returns this view if nothing changes. */
  rewrite(pattern: RegExp, write: (part: string) => string): View {
    const text = this.text.replace(pattern, (part: string) => write(part));
    return text === this.text ? this : new View(text, { source: this, pattern, write });
  }

  /** Maps the characters from `start` to `end` to their range in the original text. */
  mapToSource(start: number, end: number): readonly [start: number, end: number] {
    if (!this.#rewriting) return [start, end];
    this.#parts ??= splitParts(this.#rewriting);
    const first = findSource(start, this.#parts);
    const last = findSource(end - 1, this.#parts);
    return this.#rewriting.source.mapToSource(first.start, last.end);
  }
}

function splitParts({ source, pattern, write }: Rewriting): ViewPart[] {
  const parts: ViewPart[] = [];
  let shift = 0;
  for (const { 0: part, index } of source.text.matchAll(pattern)) {
    const start = index + shift;
    const end = start + write(part).length;
    const sourceEnd = index + part.length;
    parts.push({ sourceStart: index, sourceEnd, start, end });
    shift = end - sourceEnd;
  }
  return parts;
}

/** Returns the source range of one character. */
function findSource(index: number, parts: readonly ViewPart[]): { start: number; end: number } {
  // Find the last part that starts at or before the character.
  let low = 0;
  let high = parts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((parts[middle]?.start ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const part = parts[low - 1];
  if (!part) return { start: index, end: index + 1 };
  if (index < part.end) return { start: part.sourceStart, end: part.sourceEnd };
  const start = index - part.end + part.sourceEnd;
  return { start, end: start + 1 };
}
