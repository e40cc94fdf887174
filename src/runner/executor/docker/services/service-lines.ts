import { Transform, type TransformCallback } from 'node:stream'

const LONGEST_LINE = 64 * 1024
const NEWLINE = 0x0a

/** Puts each line of a service between its name and a line break; one that is longer than 64 KiB comes in pieces. */
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
    while (text.length > LONGEST_LINE) {
      this.pushLine(text.subarray(0, LONGEST_LINE))
      text = text.subarray(LONGEST_LINE)
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
