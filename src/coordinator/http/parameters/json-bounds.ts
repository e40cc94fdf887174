import { invalidParameters } from '../errors.js'

/** Objects and lists inside one another; no parameter has as many, and recursive code reads them. */
const MAX_DEPTH = 64
/** Elements and names of all lists and objects. Each costs far more than its bytes; a commit has four for each file. */
const MAX_MEMBERS = 50_000
/** Names of one object. An object of many names costs many times as much as one of few. */
const MAX_NAMES = 4096

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/**
 * Counts the structure of a JSON text while its bytes arrive, so that one that would be costly to parse is refused
 * before it is complete. Whether the text is JSON is not checked.
 */
export class JsonBounds {
  /** Names in each open object or list, from the outermost. */
  private readonly names: number[] = []
  private members = 0
  private isInText = false
  private isEscaped = false

  /** Throws 400 if the text has more than the bounds. */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      if (this.isInText) at = this.skipText(chunk, at)
      else this.count(chunk[at])
    }
  }

  /** The position of the quote that ends the text, or the length of the chunk. */
  private skipText(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.isEscaped) this.isEscaped = false
      else if (chunk[at] === BACKSLASH) this.isEscaped = true
      else if (chunk[at] === QUOTE) {
        this.isInText = false
        return at
      }
    }
    return chunk.length
  }

  private count(byte: number | undefined): void {
    if (byte === QUOTE) this.isInText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.open()
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.names.pop()
    else if (byte === COMMA) this.addMember()
    else if (byte === COLON) this.addName()
  }

  private open(): void {
    this.addMember()
    if (this.names.push(0) > MAX_DEPTH) throw exceeded(`${MAX_DEPTH} levels of objects and lists`)
  }

  private addMember(): void {
    if (++this.members > MAX_MEMBERS) throw exceeded(`${MAX_MEMBERS} values`)
  }

  private addName(): void {
    const last = this.names.length - 1
    const names = (this.names[last] ?? 0) + 1
    if (names > MAX_NAMES) throw exceeded(`${MAX_NAMES} names in an object`)
    if (last >= 0) this.names[last] = names
  }
}

function exceeded(bound: string): Error {
  return invalidParameters(`a JSON body has at most ${bound}`)
}
