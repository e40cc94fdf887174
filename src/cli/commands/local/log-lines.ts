import { StringDecoder } from 'node:string_decoder'

import { STAGES } from '../../../runner/job/stages/stage.js'
import { readableLine } from '../../readable-log.js'

/** Sections that contain the output of scripts (runner protocol, 7.1). */
const SCRIPT_SECTION = /^(?:step_.*|after_script)$/
const SECTION_MARK = /^section_(?<edge>start|end):\d+:(?<name>[\w.-]+)/
/** A marker can be in the middle of a line if the text before it had no line end. */
const BEFORE_MARK = /(?=section_(?:start|end):\d+:)/
/** The status of the job contains the same information. */
const IS_TOLD_ANYWAY =
  /^(?:ERROR: Job failed: (?:exit code \d+|canceled)|WARNING: script canceled externally.*)$/
const RUNNER_SECTIONS = new Set<string>(Object.values(STAGES).map(({ name }) => name))
/** Maximum number of lines of one section that are kept in case it fails. */
const MAX_HELD = 200
/** Maximum number of characters of an incomplete line. Longer ones are shown in parts. */
const MAX_LINE_LENGTH = 64 * 1024

export interface LogLinesOptions {
  colour: boolean
  /** Also shows the runner's own output. */
  verbose: boolean
}

/**
 * Splits the log of one job into the lines to show: the output of scripts, and warnings. The runner's own output is
 * shown with `verbose`, and before an error always.
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
    if (this.rest.length > MAX_LINE_LENGTH) lines.push(this.takeRest())
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
    if (this.held.length > MAX_HELD) this.held.shift()
    return []
  }

  /** Whether a section of the runner begins or ends here. Scripts may have sections of their own. */
  private recordSection(part: string): boolean {
    const { edge, name = '' } = SECTION_MARK.exec(part)?.groups ?? {}
    if (!RUNNER_SECTIONS.has(name) && !SCRIPT_SECTION.test(name)) return false
    this.section = edge === 'start' ? name : undefined
    this.held = []
    return true
  }
}
