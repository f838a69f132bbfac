import type { RecordingWriter } from './format.js';
import type { Masks } from './masks.js';

/** Minimum number of bytes to search together. */
const leastSearched = 65_536;

/** File that masks secrets in the bytes written to it. */
export class MaskedFile {
  readonly name: string;
  readonly #write: (piece: Uint8Array) => void;
  readonly #masks: Masks;
  /** Bytes that have not been searched yet, with one character per byte. */
  #pieces: string[] = [];
  #size = 0;
  /** Searched bytes that may be the start of a secret. */
  #rest = '';

  constructor({ name, write }: ReturnType<RecordingWriter['file']>, masks: Masks) {
    this.name = name;
    this.#write = write;
    this.#masks = masks;
  }

  write(piece: Uint8Array): void {
    this.#pieces.push(Buffer.from(piece).toString('latin1'));
    this.#size += piece.length;
    // Waits for more bytes, because each search covers `#rest` again and frequent searches would be
    // slow.
    if (this.#size >= Math.max(leastSearched, this.#rest.length)) this.#search(false);
  }

  end(): void {
    this.#search(true);
  }

  #search(isLast: boolean): void {
    const text = this.#rest + this.#pieces.join('');
    this.#pieces = [];
    this.#size = 0;
    const { clean, rest } = this.#masks.octets(text, isLast);
    this.#rest = rest;
    this.#write(Buffer.from(clean, 'latin1'));
  }
}
