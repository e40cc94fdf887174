import type { Writable } from 'node:stream'

import type { LocalJob } from './local-pipeline.js'
import { LogLines } from './log-lines.js'
import { statusColour, statusText } from './status-text.js'

export interface LocalDisplayOptions {
  out: Writable
  colour: boolean
  verbose: boolean
  /** Names of the jobs to distinguish. */
  names: readonly string[]
  /** Precedes each name: the path of trigger jobs that leads to the pipeline. */
  prefix?: string
}

const BOLD = 1
const DIM = 2
/** Colors of job names, different from those of statuses. */
const NAME_COLOURS = [36, 35, 34, 96, 95, 94]
const MAX_WIDTH = 30

/** The output of `switchyard local` while jobs run. Each line begins with the name of its job. */
export class LocalDisplay {
  private readonly width: number

  constructor(private readonly options: LocalDisplayOptions) {
    this.width = Math.min(MAX_WIDTH, Math.max(0, ...options.names.map((name) => this.nameOf(name).length)))
  }

  /** The display for the jobs of a child pipeline, whose names begin with that of the trigger job. */
  ofChild(trigger: string, names: readonly string[]): LocalDisplay {
    return new LocalDisplay({ ...this.options, names, prefix: `${this.nameOf(trigger)} / ` })
  }

  /** The name of a job in the output. */
  nameOf(name: string): string {
    return `${this.options.prefix ?? ''}${name}`
  }

  print(line: string): void {
    this.options.out.write(`${line}\n`)
  }

  heading(line: string): void {
    this.print(this.paint(line, BOLD))
  }

  printDimmed(line: string): void {
    this.print(this.paint(line, DIM))
  }

  /** Shows an event of a job other than its output. */
  about(job: LocalJob, text: string): void {
    this.print(`${this.label(job)} ${this.paint(text, DIM)}`)
  }

  ended(job: LocalJob): void {
    this.print(`${this.label(job)} ${this.paint(statusText(job), statusColour(job))}`)
  }

  /** Receives the log of a job in parts. */
  openLog(job: LocalJob): { write: (bytes: Buffer) => void; end: () => void } {
    const lines = new LogLines(this.options)
    const show = (line: string) =>
      this.print(`${this.label(job)} ${line}${this.options.colour ? '\x1b[0m' : ''}`)
    return {
      write: (bytes) => lines.push(bytes).forEach(show),
      end: () => lines.end().forEach(show),
    }
  }

  summaryLine(cells: readonly string[], job: LocalJob): void {
    this.print(`  ${this.paint(cells.join('  ').trimEnd(), statusColour(job))}`)
  }

  private label({ planned: { name } }: LocalJob): string {
    const colour = NAME_COLOURS[this.options.names.indexOf(name) % NAME_COLOURS.length]
    return this.paint(`${this.nameOf(name).padEnd(this.width)} |`, colour)
  }

  private paint(text: string, code: number | undefined): string {
    return this.options.colour && code !== undefined ? `\x1b[${code}m${text}\x1b[0m` : text
  }
}
