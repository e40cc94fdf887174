import type { Writable } from 'node:stream'

import { readableLine } from '../../readable-log.js'
import type { JobRecord, PipelineRecord } from './api-client.js'

export interface DisplayOptions {
  out: Writable
  /** Whether the output is a terminal. */
  colour: boolean
}

const DIM = 2
const BOLD = 1
const COLOURS: Record<string, number> = { success: 32, failed: 31, canceled: 33, running: 36 }

/** The output of `switchyard up`. */
export class Display {
  constructor(private readonly options: DisplayOptions) {}

  readonly print = (line: string): void => {
    this.options.out.write(`${line}\n`)
  }

  heading(line: string): void {
    this.print(this.style(line, BOLD))
  }

  jobMoved(job: JobRecord, from: string | undefined): void {
    const reason = job.failure_reason ? ` (${job.failure_reason})` : ''
    const arrow = from === undefined ? '' : `${from} -> `
    this.print(`${label(job)} ${arrow}${this.status(job.status)}${reason}`)
  }

  /** Prints a line of a job log, unless it contains only markers. */
  logLine(job: JobRecord, line: string): void {
    const text = readableLine(line, { colour: this.options.colour })
    if (text === undefined) return
    const end = this.options.colour ? '\x1b[0m' : ''
    this.print(`${this.style(`${label(job)} |`, DIM)} ${text}${end}`)
  }

  summary(pipeline: PipelineRecord, jobs: JobRecord[]): void {
    this.heading(`Pipeline ${pipeline.id}: ${this.status(pipeline.status)}`)
    if (pipeline.yaml_errors) this.print(pipeline.yaml_errors)
    for (const job of jobs) {
      const seconds = job.duration === null ? '' : ` ${job.duration.toFixed(1)} s`
      this.print(`${label(job)} ${this.status(job.status)}${seconds}`)
    }
  }

  private status(status: string): string {
    return this.style(status, COLOURS[status])
  }

  private style(text: string, code: number | undefined): string {
    return this.options.colour && code !== undefined ? `\x1b[${code}m${text}\x1b[0m` : text
  }
}

const LABEL_WIDTH = 20

function label(job: JobRecord): string {
  return `  ${job.name.padEnd(LABEL_WIDTH)}`
}
