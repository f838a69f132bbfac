import judged from './judged.json' with { type: 'json' };

/** A fault that was tried, as the mutation testing report schema has it. */
export interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

interface Place {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** A fault that no test notices. */
export interface Survivor {
  /** Name of the source file. */
  readonly file: string;
  readonly line: number;
  /** What stands there, and what was put in its place: `a < b → a <= b`. */
  readonly fault: string;
  /** Why it makes no difference; undefined where nobody has looked yet. */
  readonly why: string | undefined;
}

/** The survivors of one file, each as often as it was tried. */
export function survivorsOf(
  file: string,
  source: string,
  mutants: readonly Mutant[],
): readonly Survivor[] {
  const lines = source.split('\n');
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ location: { start, end }, replacement = '' }) => {
      const found = lines.slice(start.line - 1, end.line);
      const cut = found.map((line, index) =>
        line.slice(
          index === 0 ? start.column - 1 : 0,
          index === found.length - 1 ? end.column - 1 : undefined,
        ),
      );
      const fault = `${brief(cut.join(' '))} → ${brief(replacement)}`;
      return { file, line: start.line, fault, why: reasons.get(`${file} ${fault}`) };
    })
    .sort((a, b) => a.line - b.line);
}

/** Reasons for faults that are no longer there, or are noticed by now. */
export function idleReasons(survivors: readonly Survivor[]): readonly string[] {
  const there = new Set(survivors.map(({ file, fault }) => `${file} ${fault}`));
  return [...reasons.keys()].filter((key) => !there.has(key));
}

/** Why a fault makes no difference that a caller could see: reasons of judged.json, by file and fault. */
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(judged).flatMap(([file, judgements]) =>
    judgements.flatMap(({ why, faults }) =>
      faults.map((fault): [string, string] => [`${file} ${fault}`, why]),
    ),
  ),
);

function brief(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain.length > 90 ? `${plain.slice(0, 89)}…` : plain;
}
