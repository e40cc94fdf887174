import { parseRegexLiteral } from '../../../ci-config/expressions/regex-literal.js'
import { coverageInLog } from '../../../coordinator/ci/engine/reports/coverage-in-log.js'

/** Maximum number of bytes kept of one log. The coverage is near its end. */
const KEPT_BYTES = 4 * 1024 * 1024

/** Keeps the end of the log of a job, to search it when the job has ended. */
export class LogTail {
  private pieces: Buffer[] = []
  private size = 0

  push(bytes: Buffer): void {
    this.pieces.push(bytes)
    this.size += bytes.length
    while (this.size - (this.pieces[0]?.length ?? 0) >= KEPT_BYTES) {
      this.size -= this.pieces.shift()?.length ?? 0
    }
  }

  /** `coverage` is the regular expression of the job, between slashes. */
  async coverage(coverage: string | undefined): Promise<number | undefined> {
    const regex = coverage === undefined ? undefined : parseRegexLiteral(coverage)
    if (!regex || regex === 'invalid') return undefined
    const text = Buffer.concat(this.pieces)
    const read = (start: number, end: number) => Promise.resolve(text.subarray(start, end))
    return coverageInLog(regex, { size: text.length, read })
  }
}
