import { once } from 'node:events'
import { Transform, type TransformCallback, type Writable } from 'node:stream'

const MAX_LINE_LENGTH = 64 * 1024
const NEWLINE = 0x0a

/** Adds the name of the service and a line break to each line. A line longer than 64 KiB is split. */
export class ServiceLines extends Transform {
  private readonly prefix: Buffer
  private readonly suffix = Buffer.from('\x1b[0;m\n')
  private rest = Buffer.alloc(0)

  constructor(aliases: string[]) {
    super()
    this.prefix = Buffer.from(`\x1b[0;37m[service:${aliases.join('-')}] `)
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let text = Buffer.concat([this.rest, chunk])
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE)) {
      this.pushLine(text.subarray(0, end))
      text = text.subarray(end + 1)
    }
    while (text.length > MAX_LINE_LENGTH) {
      this.pushLine(text.subarray(0, MAX_LINE_LENGTH))
      text = text.subarray(MAX_LINE_LENGTH)
    }
    this.rest = text
    done()
  }

  override _flush(done: TransformCallback): void {
    if (this.rest.length > 0) this.pushLine(this.rest)
    done()
  }

  private pushLine(line: Buffer): void {
    this.push(Buffer.concat([this.prefix, line, this.suffix]))
  }
}

/**
 * Writes lines into the log of a job, at its pace, until they end or the log is closed. When `signal` aborts, nothing is written any more:
 * returns, or throws an `AbortError`.
 */
export async function writeServiceLines(
  lines: AsyncIterable<Buffer>,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of lines) {
    if (signal.aborted || !output.writable) return
    if (!output.write(chunk)) await once(output, 'drain', { signal })
  }
}
