import { StringDecoder } from 'node:string_decoder'

import { STAGES } from '../../../runner/job/stages/stage.js'
import { readableLine } from '../../readable-log.js'

/** Sections that hold what the scripts print (runner protocol, 7.1). */
const SCRIPT_SECTION = /^(?:step_.*|after_script)$/
const SECTION_MARK = /^section_(?<edge>start|end):\d+:(?<name>[\w.-]+)/
/** Marks stand in the middle of a line where what was before it had no line end. */
const BEFORE_MARK = /(?=section_(?:start|end):\d+:)/
/** The status of the job says the same. */
const IS_TOLD_ANYWAY =
  /^(?:ERROR: Job failed: (?:exit code \d+|canceled)|WARNING: script canceled externally.*)$/
const RUNNER_SECTIONS = new Set<string>(Object.values(STAGES).map(({ name }) => name))
/** Lines of one section that are kept in case that it goes wrong. */
const MOST_HELD = 200
/** Characters of a line that has no end yet; longer ones are shown in pieces. */
const LONGEST_LINE = 64 * 1024

export interface LogLinesOptions {
  colour: boolean
  /** Also what the runner says of its own work. */
  verbose: boolean
}

/**
 * The log of one job, cut into the lines that a person wants to see: what the scripts print, and warnings. Of the
 * runner's own work everything is shown with `verbose`, and what led to an error always.
 */
export class LogLines {
  private readonly decoder = new StringDecoder('utf8')
  private rest = ''
  private section: string | undefined
  private held: string[] = []

  constructor(private readonly options: LogLinesOptions) {}

  push(bytes: Buffer): string[] {
    const lines = (this.rest + this.decoder.write(bytes)).split('\n')
    this.rest = lines.pop() ?? ''
    if (this.rest.length > LONGEST_LINE) lines.push(this.takeRest())
    return lines.flatMap((line) => this.choose(line))
  }

  /** A last line without an end. */
  end(): string[] {
    this.rest += this.decoder.end()
    return this.rest === '' ? [] : this.choose(this.takeRest())
  }

  private takeRest(): string {
    const { rest } = this
    this.rest = ''
    return rest
  }

  private choose(line: string): string[] {
    return line.split(BEFORE_MARK).flatMap((part) => this.choosePart(part))
  }

  private choosePart(part: string): string[] {
    const isTitle = this.recordSection(part)
    const shown = readableLine(part, this.options)
    if (shown === undefined) return []
    if (this.options.verbose) return [shown]
    const isOfScript = this.section !== undefined && SCRIPT_SECTION.test(this.section)
    if (isOfScript) return isTitle ? [] : [shown]
    return this.hold(shown, readableLine(part, { colour: false }) ?? '')
  }

  private hold(shown: string, plain: string): string[] {
    if (IS_TOLD_ANYWAY.test(plain)) return []
    if (plain.startsWith('WARNING: ')) return [shown]
    this.held.push(shown)
    if (plain.startsWith('ERROR: ')) return this.held.splice(0)
    if (this.held.length > MOST_HELD) this.held.shift()
    return []
  }

  /** Whether a section of the runner's begins or ends here; scripts may have sections of their own. */
  private recordSection(part: string): boolean {
    const { edge, name = '' } = SECTION_MARK.exec(part)?.groups ?? {}
    if (!RUNNER_SECTIONS.has(name) && !SCRIPT_SECTION.test(name)) return false
    this.section = edge === 'start' ? name : undefined
    this.held = []
    return true
  }
}
