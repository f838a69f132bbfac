/**
 * The kinds of an error stand under this registered symbol on its prototype, so that `instanceof`
 * holds across duplicate copies of the package and across its ESM and CommonJS builds.
 */
const kindsKey = Symbol.for('triforge.error.kinds');

/** The kinds of a value, its own first; none where it is no error of this package. */
export function kindsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const kinds: unknown = Reflect.get(value, kindsKey);
  return Array.isArray(kinds) ? kinds : [];
}

/** Gives a class its name and its kinds. Called once below each class of this folder, never for users' subclasses. */
export function brand(errorClass: { readonly prototype: TriforgeError }, kind: string): void {
  const parents = kindsOf(Object.getPrototypeOf(errorClass.prototype));
  Object.defineProperty(errorClass.prototype, kindsKey, { value: [kind, ...parents] });
  // As of every error, an instance may be given another.
  Object.defineProperty(errorClass.prototype, 'name', { value: kind, writable: true });
}

/**
 * Fields that may hold what must not be printed: readable, but left out of inspection and JSON. A
 * function makes its value when it is first read.
 */
export function hide(error: TriforgeError, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'function') {
      Object.defineProperty(error, name, { value });
      continue;
    }
    const get = () => {
      const made: unknown = value();
      Object.defineProperty(error, name, { value: made });
      return made;
    };
    Object.defineProperty(error, name, { get, configurable: true });
  }
}

/** Maximum frames of this package between the creation of an error and the caller's `await`. */
const ownFrames = 30;

/**
 * Captures an error's stack again, with room for the caller's frames, because this package's own frames
 * may fill `Error.stackTraceLimit`.
 * @param below leaves out this function and everything it called.
 */
export function captureStack(error: Error, below?: NewableFunction): void {
  const { stackTraceLimit } = Error;
  // `Reflect`: the property may be frozen. A program that turned stacks off gets none.
  const widened = stackTraceLimit > 0;
  if (widened) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit + ownFrames);
  Error.captureStackTrace(error, below);
  if (widened) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
}

/** What an error is made from, in addition to its message. */
export interface ErrorInit {
  /** The error that caused this one. */
  readonly cause?: unknown;
}

/** Base class of every error of this package. Each leaf class has its own literal `code`. */
export abstract class TriforgeError extends Error {
  /** One word for the class, as `not_found`: to switch over. */
  abstract readonly code: string;

  constructor(message: string, init?: ErrorInit) {
    super(message, init);
    captureStack(this, new.target);
  }

  /** Where the documentation of this package explains cause and remedy: `docs/errors.md#notfounderror`. */
  get docs(): string {
    return `docs/errors.md#${String(kindsOf(this)[0]).toLowerCase()}`;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const kind = Object.hasOwn(this.prototype, kindsKey) ? kindsOf(this.prototype)[0] : undefined;
    // A user's own subclass carries no kind of its own: only its own instances match it.
    if (kind === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    return kindsOf(value).includes(kind);
  }
}
brand(TriforgeError, 'TriforgeError');
