import type { RecordingWriter } from './format.js';
import type { Masks } from './masks.js';

/** File that masks secrets in the bytes written to it. */
export class MaskedFile {
  readonly name: string;
  readonly #write: (piece: Uint8Array) => void;
  readonly #masks: Masks;
  #rest = '';

  constructor({ name, write }: ReturnType<RecordingWriter['file']>, masks: Masks) {
    this.name = name;
    this.#write = write;
    this.#masks = masks;
  }

  write(piece: Uint8Array): void {
    this.#add(Buffer.from(piece).toString('latin1'), false);
  }

  end(): void {
    this.#add('', true);
  }

  #add(text: string, isLast: boolean): void {
    const { clean, rest } = this.#masks.octets(this.#rest + text, isLast);
    this.#rest = rest;
    this.#write(Buffer.from(clean, 'latin1'));
  }
}
