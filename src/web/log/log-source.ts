import type { TraceLines, TraceOutline } from '../../coordinator/ci/jobs/trace/schema.js'
import { isPlain } from '../text/is-plain.js'
import { type Piece, plainText, styledLines } from './styled-text.js'

/** Lines of one request; windows begin at multiples of it. */
const WINDOW = 256
const MAX_WINDOWS = 20
/** Lines that one request for the end of a growing log may bring. */
const MAX_NEW = 1000

export interface LogLine {
  number: number
  pieces: Piece[]
  /** In milliseconds since 1970; undefined if unknown. */
  time: number | undefined
  /** The end of a long line is left out. */
  isCut: boolean
  /** Number of texts that carriage returns replaced. */
  overwritten: number
  /** The line has section markers and nothing else. */
  isMarker: boolean
}

/** Which lines of a log to read: from a line, from the end for a negative number, or from the line of a byte. */
export type LinesQuery = { from: number; count: number; whole?: true } | { byte: number; count: number }

export interface LogReader {
  /** Consecutive lines. */
  lines: (query: LinesQuery) => Promise<TraceLines>
  outline: () => Promise<TraceOutline>
}

interface Window {
  lines: LogLine[]
  usedAt: number
}

/**
 * A log of any size, of which some windows are kept. It reads what is asked for, and grows while the job runs.
 */
export class LogSource {
  lines = 0
  isComplete = false
  sections: TraceOutline['sections'] = []
  /** Lines that have been read and may have invisible characters, with their numbers, until they are looked at. */
  readonly suspects = new Map<number, string>()

  private readonly windows = new Map<number, Window>()
  private readonly reading = new Set<number>()
  private nextByte = 0
  private growing: Promise<void> | undefined
  private growsAgain = false
  private uses = 0

  /**
   * @param onChange called whenever lines have come or the log has grown
   * @param onError called with what a request threw
   */
  constructor(
    private readonly reader: LogReader,
    private readonly onChange: () => void,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Takes over the outline of the log, as it was read. */
  open({ lines, bytes, is_complete: isComplete, sections }: TraceOutline): void {
    this.lines = Math.max(this.lines, lines)
    this.isComplete = isComplete
    this.sections = sections
    this.nextByte ||= bytes
    this.onChange()
  }

  /** A line, if its window is there; otherwise the window is read. Lines count from 1. */
  lineAt(number: number): LogLine | undefined {
    const start = startOf(number)
    const window = this.windows.get(start)
    if (!window) {
      this.read(start)
      return undefined
    }
    window.usedAt = this.uses++
    return window.lines[number - start]
  }

  /** Resolves with a line once it has been read. */
  async whenRead(number: number): Promise<LogLine | undefined> {
    const start = startOf(number)
    if (!this.windows.has(start)) await this.readWindow(start)
    return this.lineAt(number)
  }

  /** Reads the whole of a line that was cut. */
  async readWhole(number: number): Promise<void> {
    const [line] = this.linesOf(await this.reader.lines({ from: number, count: 1, whole: true }))
    const window = this.windows.get(startOf(number))
    if (line && window) window.lines[number - startOf(number)] = line
    this.onChange()
  }

  /** The log has grown, or has ended: reads what is new. Calls while it reads are joined. */
  grow(): void {
    if (this.growing) {
      this.growsAgain = true
      return
    }
    this.growing = this.readEnd()
      .catch(this.onError)
      .finally(() => {
        this.growing = undefined
        if (!this.growsAgain) return
        this.growsAgain = false
        this.grow()
      })
  }

  /** Where the part begins that has not been read yet, in bytes. */
  get end(): number {
    return this.nextByte
  }

  private read(start: number): void {
    if (this.reading.has(start)) return
    this.readWindow(start).catch(this.onError)
  }

  private async readWindow(start: number): Promise<void> {
    this.reading.add(start)
    try {
      const query = { from: start, count: WINDOW }
      let response = await this.reader.lines(query)
      // The log has grown during the request, and `readEnd` had no window for the new lines.
      if (start + response.lines.length <= Math.min(this.lines, start + WINDOW - 1))
        response = await this.reader.lines(query)
      this.keep(start, this.linesOf(response))
      this.lines = Math.max(this.lines, response.total)
      this.onChange()
    } finally {
      this.reading.delete(start)
    }
  }

  private async readEnd(): Promise<void> {
    const next = await this.reader.lines({ byte: this.nextByte, count: MAX_NEW })
    const skips = next.total - (next.from + next.lines.length - 1) > MAX_NEW
    const response = skips ? await this.reader.lines({ from: -MAX_NEW, count: MAX_NEW }) : next
    // Skipped lines are read when they are shown. The last window before them is incomplete.
    if (skips) this.dropPartial()
    const added = this.linesOf(response)
    this.nextByte = response.next_byte
    this.isComplete = response.is_complete
    this.lines = Math.max(response.total, this.lines)
    for (const line of added) {
      const start = startOf(line.number)
      const window = this.windows.get(start)
      // A window has its lines from the first one on, without gaps. Other lines are read when they are shown.
      if (window && line.number - start <= window.lines.length) window.lines[line.number - start] = line
      else if (line.number === start) this.keep(start, [line])
      else this.windows.delete(start)
    }
    if (!skips && added.length === MAX_NEW) this.growsAgain = true
    this.onChange()
    // A line of markers ends a section, and another one often begins after it.
    if (!skips && !added.some(({ isMarker }) => isMarker)) return
    this.sections = (await this.reader.outline()).sections
    this.onChange()
  }

  takeSuspects(): [number, string][] {
    const taken = [...this.suspects]
    this.suspects.clear()
    return taken
  }

  private linesOf(response: TraceLines): LogLine[] {
    const lines = linesOf(response)
    for (const { number, pieces } of lines) {
      const text = plainText(pieces)
      if (!isPlain(text)) this.suspects.set(number, text)
    }
    return lines
  }

  private dropPartial(): void {
    for (const [start, { lines }] of this.windows) if (lines.length < WINDOW) this.windows.delete(start)
  }

  private keep(start: number, lines: LogLine[]): void {
    this.windows.set(start, { lines, usedAt: this.uses++ })
    if (this.windows.size <= MAX_WINDOWS) return
    const oldest = [...this.windows].reduce((least, entry) =>
      entry[1].usedAt < least[1].usedAt ? entry : least,
    )
    this.windows.delete(oldest[0])
  }
}

function startOf(number: number): number {
  return Math.floor((number - 1) / WINDOW) * WINDOW + 1
}

function linesOf({ from, lines, times, style, cut, overwritten, markers }: TraceLines): LogLine[] {
  const styled = styledLines(lines, style)
  const isCut = new Set(cut)
  const isMarker = new Set(markers)
  const replaced = new Map(overwritten)
  const changes = new Map(times)
  let time: number | undefined
  return styled.map((pieces, index) => {
    time = changes.get(index) ?? time
    return {
      number: from + index,
      pieces,
      time,
      isCut: isCut.has(index),
      overwritten: replaced.get(index) ?? 0,
      isMarker: isMarker.has(index),
    }
  })
}
