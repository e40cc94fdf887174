/** One step of the way of log bytes: takes chunks of any size, gives what is certain by now, the rest at the end. */
export interface ByteFilter {
  push(chunk: Buffer): Buffer
  /** The end of the text: gives what was held back. The filter can be used again afterwards. */
  flush(): Buffer
}

export const MASK = Buffer.from('[MASKED]')

/** Filters one after the other, as one. */
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
