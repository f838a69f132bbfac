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
  readonly line: number;
  /** What stands there, and what was put in its place: `a < b → a <= b`. */
  readonly fault: string;
  /** False where none of the tests of its group comes by. */
  readonly reached: boolean;
}

/** The survivors of one file, each as often as it was tried. */
export function survivorsOf(source: string, mutants: readonly Mutant[]): readonly Survivor[] {
  const lines = source.split('\n');
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ location: { start, end }, replacement = '', status }) => {
      const found = lines.slice(start.line - 1, end.line);
      const cut = found.map((line, index) =>
        line.slice(
          index === 0 ? start.column - 1 : 0,
          index === found.length - 1 ? end.column - 1 : undefined,
        ),
      );
      const fault = `${brief(cut.join(' '))} → ${brief(replacement)}`;
      return { line: start.line, fault, reached: status === 'Survived' };
    })
    .sort((a, b) => a.line - b.line || a.fault.localeCompare(b.fault, 'en'));
}

function brief(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  return plain.length > 90 ? `${plain.slice(0, 89)}…` : plain;
}
