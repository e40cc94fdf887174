import { StringDecoder } from 'node:string_decoder'

import { readableLine } from '../../readable-log.js'

/** Sections that hold what the scripts print (runner protocol, 7.1). */
const SCRIPT_SECTION = /^(?:step_.*|after_script)$/
const SECTION_MARK = /section_(?<edge>start|end):\d+:(?<name>[\w.-]+)/g
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
    const hasMark = this.noteSections(line)
    const shown = readableLine(line, this.options)
    if (shown === undefined) return []
    const isOfScript = this.section !== undefined && SCRIPT_SECTION.test(this.section)
    if (this.options.verbose || (isOfScript && !hasMark)) return [shown]
    return isOfScript ? [] : this.hold(shown, readableLine(line, { colour: false }) ?? '')
  }

  private hold(shown: string, plain: string): string[] {
    if (plain.startsWith('WARNING: ')) return [shown]
    this.held.push(shown)
    if (!plain.startsWith('ERROR: ')) {
      if (this.held.length > MOST_HELD) this.held.shift()
      return []
    }
    return this.held.splice(0)
  }

  /** Whether the line opens or closes a section. */
  private noteSections(line: string): boolean {
    const marks = [...line.matchAll(SECTION_MARK)]
    for (const { groups } of marks) {
      this.section = groups?.['edge'] === 'start' ? groups['name'] : undefined
      this.held = []
    }
    return marks.length > 0
  }
}
