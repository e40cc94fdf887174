import type { Writable } from 'node:stream'

import { sectionEnd, sectionStart } from '../../protocol/trace-section.js'

const RESET = '\x1b[0;m'
const CLEAR_LINE = '\x1b[0K'

/**
 * Writes the runner's own messages into the job log, in the format of the reference runner (runner protocol, 7.12).
 */
export class JobLog {
  /**
   * `output` masks what is written to it. The bytes of scripts are written to it directly. Section markers are
   * written only for coordinators that support them. `enterStage` is called when a stage of the job begins, and the
   * function that it returns when the stage ends.
   */
  constructor(
    readonly output: Writable,
    readonly hasSections = true,
    readonly enterStage: (stage: string) => () => void = () => () => {},
  ) {}

  /** The same log, with another way to its bytes. */
  through(output: Writable): JobLog {
    return new JobLog(output, this.hasSections, this.enterStage)
  }

  plain(text: string): void {
    this.output.write(`${CLEAR_LINE}${text}${RESET}\n`)
  }

  info(text: string): void {
    this.output.write(`\x1b[32;1m${text}${RESET}\n`)
  }

  warning(text: string): void {
    this.output.write(`\x1b[0;33mWARNING: ${text}${RESET}\n`)
  }

  error(text: string): void {
    this.output.write(`\x1b[31;1mERROR: ${text}${RESET}\n`)
  }

  /** Runs `work` inside a section of the log with this title. */
  async section<T>(name: string, title: string, work: () => Promise<T>): Promise<T> {
    if (this.hasSections) this.output.write(sectionStart(name, new Date()))
    this.plain(`\x1b[36;1m${title}${RESET}`)
    return await this.restOfSection(name, work)
  }

  /** Runs `work` inside a section that is already open. */
  async restOfSection<T>(name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } finally {
      if (this.hasSections) this.output.write(sectionEnd(name, new Date()))
    }
  }
}
