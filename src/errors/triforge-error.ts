/**
 * Symbol under which each prototype stores its kinds (class names). The symbol is registered
 * globally, so `instanceof` works across duplicate copies of the package, including its ESM and
 * CommonJS builds.
 */
const kindsKey = Symbol.for('triforge.error.kinds');

/** Returns a value's kinds, the most specific first. Empty if the value isn't a triforge error. */
export function listKinds(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const kinds: unknown = Reflect.get(value, kindsKey);
  return Array.isArray(kinds) ? kinds : [];
}

/**
 * Sets a class's name and kinds. Called once for each of this package's classes, but not for users'
 * subclasses.
 */
export function brand(errorClass: { readonly prototype: TriforgeError }, kind: string): void {
  const parents = listKinds(Object.getPrototypeOf(errorClass.prototype));
  Object.defineProperty(errorClass.prototype, kindsKey, { value: [kind, ...parents] });
  // Writable, like the `name` property of other errors.
  Object.defineProperty(errorClass.prototype, 'name', { value: kind, writable: true });
}

/** Fields that may contain secrets. */
const hiddenFields: readonly string[] = ['response', 'body', 'data'];

/**
 * Adds a field that JSON and `util.inspect` don't show. With `showHidden` (`%o`), `util.inspect`
 * shows only that there is a getter. If the value is a function, it is called on first access.
 */
function addHidden(error: TriforgeError, name: string, value: unknown): void {
  let read = typeof value === 'function' ? undefined : { value };
  const get = () => {
    if (!read && typeof value === 'function') read = { value: value() };
    return read?.value;
  };
  Object.defineProperty(error, name, { get });
}

/**
 * Maximum number of this package's stack frames between the creation of an error and the caller's
 * `await`.
 */
const ownFrames = 30;

/**
 * Captures an error's stack again, with room for the caller's frames, because this package's own
 * frames may fill `Error.stackTraceLimit`.
 * @param below function to omit from the stack, along with all functions that it called.
 */
export function captureStack(error: Error, below?: NewableFunction): void {
  const { stackTraceLimit } = Error;
  // `Reflect.set` doesn't throw if the property is frozen. If a program turned stack traces off,
  // they stay off.
  const widened = stackTraceLimit > 0;
  if (widened) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit + ownFrames);
  Error.captureStackTrace(error, below);
  if (widened) Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
}

/** Constructor options for all errors. */
export interface ErrorInit {
  /** Error that caused this one. */
  readonly cause?: unknown;
}

/**
 * Base class of all triforge errors. Each leaf class has its own literal `code` and the fields in
 * `Init`.
 */
export abstract class TriforgeError<Init extends ErrorInit = ErrorInit> extends Error {
  /** Literal that identifies the class in a `switch`, for example `not_found`. */
  abstract readonly code: string;

  constructor(message: string, init: Init) {
    super(message, init);
    captureStack(this, new.target);
    for (const [name, value] of Object.entries(init)) {
      if (hiddenFields.includes(name)) addHidden(this, name, value);
      else if (name !== 'cause') Object.assign(this, { [name]: value });
    }
  }

  /** Location of the error's documentation, for example `docs/errors.md#notfounderror`. */
  get docs(): string {
    return `docs/errors.md#${String(listKinds(this)[0]).toLowerCase()}`;
  }

  /** Returns whether a value is an error of this class, even from another copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    const kind = Object.hasOwn(this.prototype, kindsKey) ? listKinds(this.prototype)[0] : undefined;
    // Users' subclasses have no kind, so they match only their own instances.
    if (kind === undefined) return Function.prototype[Symbol.hasInstance].call(this, value);
    return listKinds(value).includes(kind);
  }
}
brand(TriforgeError, 'TriforgeError');
