import { SaxesParser, type SaxesTagPlain } from 'saxes'

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

/**
 * Parses one Cobertura or JaCoCo document in chunks. Refuses invalid XML, and declared entities instead of expanding them.
 */
export class LineCoverageParser {
  private readonly parser = new SaxesParser()
  private depth = 0
  private isOver = false
  /** Characters read since the last event. */
  private sinceEvent = 0
  private readonly sources: string[] = []
  /** Text of the `source` that is open. */
  private source: string | undefined
  /** Of JaCoCo. */
  private packageName = ''
  private lines: LineHits | undefined

  constructor(private readonly receiver: Receiver) {
    this.parser.on('opentag', (tag) => this.onOpen(tag))
    this.parser.on('closetag', (tag) => this.onClose(tag))
    this.parser.on('text', (text) => this.onText(text))
    this.parser.on('error', (error) => {
      throw refused(error.message)
    })
  }

  /** Whether an element has started. */
  get hasBegun(): boolean {
    return this.depth > 0
  }

  /** Returns the text after the end of the document; undefined until then. Throws `LineCoverageError`. */
  write(text: string): string | undefined {
    // Tag by tag, because the text after the last one is another document.
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('>', start) + 1 || text.length
      this.sinceEvent += end - start
      if (this.sinceEvent > lineCoverageLimits.charactersAtOnce) throw refused('an element is too long')
      this.parser.write(text.slice(start, end))
      start = end
      if (this.isOver) return text.slice(start)
    }
    return undefined
  }

  /** Call it when the text ends before the document does. Throws `LineCoverageError`. */
  close(): void {
    this.parser.close()
  }

  private onOpen({ name, attributes }: SaxesTagPlain): void {
    this.sinceEvent = 0
    this.depth += 1
    if (this.depth > lineCoverageLimits.depth) throw refused('the elements are too deep')
    // The roots of Cobertura and of JaCoCo.
    if (this.depth === 1 && name !== 'coverage' && name !== 'report')
      throw refused('it is neither Cobertura nor JaCoCo')
    switch (name) {
      case 'source':
        this.source = ''
        break
      case 'class':
        // JaCoCo has classes, too: their lines are below `sourcefile`.
        if (attributes['filename'] !== undefined) this.open(attributes['filename'])
        break
      case 'package':
        this.packageName = attributes['name'] ?? ''
        break
      case 'sourcefile':
        this.open([this.packageName, attributes['name']].filter(Boolean).join('/'))
        break
      case 'line':
        this.add(attributes['number'] ?? attributes['nr'], attributes['hits'] ?? attributes['ci'])
        break
      default:
    }
  }

  private open(name: string): void {
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

  private onClose({ name }: SaxesTagPlain): void {
    this.sinceEvent = 0
    this.depth -= 1
    if (name === 'class' || name === 'sourcefile') this.lines = undefined
    if (name === 'source' && this.source !== undefined) {
      if (this.sources.length < lineCoverageLimits.sources) this.sources.push(this.source)
      this.source = undefined
    }
    this.isOver = this.depth === 0
  }

  private onText(text: string): void {
    this.sinceEvent = 0
    if (this.source === undefined) return
    this.source = (this.source + text).slice(0, lineCoverageLimits.path)
  }
}

export function refused(reason: string, options?: ErrorOptions): LineCoverageError {
  return new LineCoverageError(`Coverage report parsing failed: ${reason}`, options)
}
