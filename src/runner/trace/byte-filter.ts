/**
 * A stage of processing for log bytes. Accepts chunks of any size, returns the bytes that are final, and the rest
 * at the end.
 */
export interface ByteFilter {
  push(chunk: Buffer): Buffer
  /** Ends the text and returns the bytes that were held back. The filter can be used again afterwards. */
  flush(): Buffer
}

export const MASK = Buffer.from('[MASKED]')

/** Combines filters into one that applies them in order. */
export function chainFilters(filters: readonly ByteFilter[]): ByteFilter {
  return {
    push: (chunk) => filters.reduce((bytes, filter) => filter.push(bytes), chunk),
    flush: () =>
      filters.reduce<Buffer>(
        (bytes, filter) => Buffer.concat([filter.push(bytes), filter.flush()]),
        Buffer.alloc(0),
      ),
  }
}
