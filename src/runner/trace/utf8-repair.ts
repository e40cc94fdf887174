import type { ByteFilter } from './byte-filter.js'

/** Replaces bytes that are not valid UTF-8 by U+FFFD; a character split over two writes stays whole (runner protocol, 4.3). */
export class Utf8Repair implements ByteFilter {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  push(chunk: Buffer): Buffer {
    return Buffer.from(this.decoder.decode(chunk, { stream: true }))
  }

  flush(): Buffer {
    return Buffer.from(this.decoder.decode())
  }
}
