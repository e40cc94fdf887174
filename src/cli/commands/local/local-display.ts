import type { Writable } from 'node:stream'

import type { LocalJob } from './local-pipeline.js'
import { LogLines } from './log-lines.js'
import { statusColour, statusText } from './status-text.js'

export interface LocalDisplayOptions {
  out: Writable
  colour: boolean
  verbose: boolean
  /** Of the jobs that are to be told apart. */
  names: readonly string[]
  /** Stands in front of each name: what leads to the pipeline of the jobs. */
  prefix?: string
}

const BOLD = 1
const DIM = 2
/** Of the names; none that a status has. */
const NAME_COLOURS = [36, 35, 34, 96, 95, 94]
const MOST_WIDTH = 30

/** What `switchyard local` shows while jobs run: each line begins with the name of its job. */
export class LocalDisplay {
  private readonly width: number

  constructor(private readonly options: LocalDisplayOptions) {
    this.width = Math.min(MOST_WIDTH, Math.max(0, ...options.names.map((name) => this.nameOf(name).length)))
  }

  /** For the jobs of a child pipeline; their names begin with that of the trigger job. */
  ofChild(trigger: string, names: readonly string[]): LocalDisplay {
    return new LocalDisplay({ ...this.options, names, prefix: `${this.nameOf(trigger)} / ` })
  }

  /** What lines call a job. */
  nameOf(name: string): string {
    return `${this.options.prefix ?? ''}${name}`
  }

  say(line: string): void {
    this.options.out.write(`${line}\n`)
  }

  heading(line: string): void {
    this.say(this.paint(line, BOLD))
  }

  note(line: string): void {
    this.say(this.paint(line, DIM))
  }

  /** What happens to a job, apart from what it prints itself. */
  about(job: LocalJob, text: string): void {
    this.say(`${this.label(job)} ${this.paint(text, DIM)}`)
  }

  ended(job: LocalJob): void {
    this.say(`${this.label(job)} ${this.paint(statusText(job), statusColour(job))}`)
  }

  /** Takes the log of a job, piece by piece. */
  openLog(job: LocalJob): { write: (bytes: Buffer) => void; end: () => void } {
    const lines = new LogLines(this.options)
    const show = (line: string) =>
      this.say(`${this.label(job)} ${line}${this.options.colour ? '\x1b[0m' : ''}`)
    return {
      write: (bytes) => lines.push(bytes).forEach(show),
      end: () => lines.end().forEach(show),
    }
  }

  summaryLine(cells: readonly string[], job: LocalJob): void {
    this.say(`  ${this.paint(cells.join('  ').trimEnd(), statusColour(job))}`)
  }

  private label({ planned: { name } }: LocalJob): string {
    const colour = NAME_COLOURS[this.options.names.indexOf(name) % NAME_COLOURS.length]
    return this.paint(`${this.nameOf(name).padEnd(this.width)} |`, colour)
  }

  private paint(text: string, code: number | undefined): string {
    return this.options.colour && code !== undefined ? `\x1b[${code}m${text}\x1b[0m` : text
  }
}
