import type { SaxesTagPlain } from 'saxes'

import type { XmlHandler } from '../xml-documents.js'
import { LineCoverageError } from './line-coverage-error.js'
import { lineCoverageLimits } from './line-coverage-limits.js'

/** How often lines have run, by their numbers from 1. */
export type LineHits = Map<number, number>

interface Receiver {
  /** The lines of a file that a report names; undefined for one that is not asked for. */
  linesOf: (name: string, sources: readonly string[]) => LineHits | undefined
  /** Is called for each line that is new in its file. */
  onLine: () => void
}

/** Finds the lines of one Cobertura or JaCoCo document. */
export class CoveredLines implements XmlHandler {
  private readonly sources: string[] = []
  /** Text of the `source` that is open. */
  private source: string | undefined
  /** Of JaCoCo. */
  private packageName = ''
  private lines: LineHits | undefined

  constructor(private readonly receiver: Receiver) {}

  open({ name, attributes }: SaxesTagPlain, depth: number): void {
    // The roots of Cobertura and of JaCoCo.
    if (depth === 1 && name !== 'coverage' && name !== 'report')
      throw refused('it is neither Cobertura nor JaCoCo')
    switch (name) {
      case 'source':
        this.source = ''
        break
      case 'class':
        // JaCoCo has classes, too: their lines are below `sourcefile`.
        if (attributes['filename'] !== undefined) this.begin(attributes['filename'])
        break
      case 'package':
        this.packageName = attributes['name'] ?? ''
        break
      case 'sourcefile':
        this.begin([this.packageName, attributes['name']].filter(Boolean).join('/'))
        break
      case 'line':
        this.add(attributes['number'] ?? attributes['nr'], attributes['hits'] ?? attributes['ci'])
        break
      default:
    }
  }

  private begin(name: string): void {
    const isTooLong = name.length > lineCoverageLimits.path
    this.lines = isTooLong ? undefined : this.receiver.linesOf(name, this.sources)
  }

  /** Classes of one file, and methods of one class, name the same lines: the highest number counts. */
  private add(number: string | undefined, hits: string | undefined): void {
    const { lines } = this
    if (!lines) return
    const [line, count] = [Number(number), Number(hits)]
    if (!Number.isSafeInteger(line) || line < 1 || !Number.isSafeInteger(count) || count < 0) return
    if (!lines.has(line)) this.receiver.onLine()
    lines.set(line, Math.max(count, lines.get(line) ?? 0))
  }

  close(name: string): void {
    if (name === 'class' || name === 'sourcefile') this.lines = undefined
    if (name === 'source' && this.source !== undefined) {
      if (this.sources.length < lineCoverageLimits.sources) this.sources.push(this.source)
      this.source = undefined
    }
  }

  text(text: string): void {
    if (this.source === undefined) return
    this.source = (this.source + text).slice(0, lineCoverageLimits.path)
  }
}

export function refused(reason: string, options?: ErrorOptions): LineCoverageError {
  return new LineCoverageError(`Coverage report parsing failed: ${reason}`, options)
}
