import type { ByteFilter } from './byte-filter.js'

/** Lets `limit` bytes through, says so once, and drops all that follows (runner protocol, 4.3). Expects valid UTF-8. */
export class OutputLimit implements ByteFilter {
  private isOver: boolean

  /** `passed`: bytes that count already; more than `limit` when the notice is among them. */
  constructor(
    private readonly limit: number,
    private passed = 0,
  ) {
    this.isOver = passed > limit
  }

  push(chunk: Buffer): Buffer {
    if (this.isOver) return Buffer.alloc(0)
    if (this.passed + chunk.length <= this.limit) {
      this.passed += chunk.length
      return chunk
    }
    this.isOver = true
    const last = characterStart(chunk, this.limit - this.passed)
    return Buffer.concat([chunk.subarray(0, last), Buffer.from(notice(this.limit))])
  }

  flush(): Buffer {
    return Buffer.alloc(0)
  }
}

/** The nearest position at or before `position` that splits no character. */
function characterStart(bytes: Buffer, position: number): number {
  let start = position
  while (start > 0 && isContinuation(bytes[start]!)) start--
  return start
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function notice(limit: number): string {
  return (
    `\n\x1b[33;1mJob's log exceeded limit of ${limit} bytes.\n` +
    'Job execution will continue but no more output will be collected.\x1b[0;m\n'
  )
}
