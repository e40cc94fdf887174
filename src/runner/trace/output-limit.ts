import type { ByteFilter } from './byte-filter.js'
import type { LimitState } from './limit-state.js'
import { OpenSections } from './open-sections.js'
import { markerOf, markerState, type SectionMarker, SectionMarkers } from './section-markers.js'
import { TailRing } from './tail-ring.js'

/** Bytes at the end of a log that are shown although it exceeds its limit. */
const TAIL_BYTES = 64 * 1024

/**
 * Passes `limit` bytes on, then a notice (runner protocol, 4.3). Of the text beyond the limit, the end is kept and
 * shown when the text ends. The reference runner does not do that:
 *
 *     within the limit │ notice │ … left out … │ markers │ how much was left out │ the last lines
 *
 * The output depends on the bytes only, not on their chunks. Omitted section markers are replaced, so that a view
 * finds every section opened and closed. Expects valid UTF-8. Text after `flush` is also beyond the limit.
 */
export class OutputLimit implements ByteFilter {
  private passed = 0
  private beyond: TailRing | undefined
  private readonly markers = new SectionMarkers()
  private readonly sections = new OpenSections()
  /** Markers beyond the limit that may belong to the end that is shown. */
  private recent: SectionMarker[] = []
  /** Position at which the text beyond the limit begins, in the count of `SectionMarkers`. */
  private cut = Infinity
  private read = 0

  constructor(
    private readonly limit: number,
    private readonly tailBytes = TAIL_BYTES,
  ) {}

  push(chunk: Buffer): Buffer {
    if (this.beyond) {
      this.keep(chunk)
      return Buffer.alloc(0)
    }
    if (this.passed + chunk.length <= this.limit) {
      this.passed += chunk.length
      this.follow(chunk)
      return chunk
    }
    const end = characterStart(chunk, this.limit - this.passed)
    this.follow(chunk.subarray(0, end))
    this.cut = this.read
    this.keep(chunk.subarray(end))
    return Buffer.concat([chunk.subarray(0, end), Buffer.from(notice(this.limit))])
  }

  /**
   * Skips text that an earlier limit of the same kind already passed on. `state` contains what that limit left out
   * after its notice.
   */
  resume(chunk: Buffer): void {
    if (!this.beyond) this.push(chunk)
  }

  /** State of the text beyond the limit. Undefined while there is none. */
  get state(): LimitState | undefined {
    const { read, cut, beyond } = this
    if (!beyond) return undefined
    return {
      read,
      cut,
      beyond: beyond.length,
      tail: beyond.read().toString('base64'),
      recent: this.recent.map(markerState),
      sections: this.sections.state,
      markers: this.markers.state,
    }
  }

  /** Continues from the state of another instance. */
  restore({ read, cut, beyond, tail, recent, sections, markers }: LimitState): void {
    this.read = read
    this.cut = cut
    this.beyond = new TailRing(this.tailBytes)
    this.beyond.restore(beyond, Buffer.from(tail, 'base64'))
    this.recent = recent.map(markerOf)
    this.sections.restore(sections)
    this.markers.restore(markers)
  }

  flush(): Buffer {
    const { beyond } = this
    if (!beyond || beyond.length === 0) return Buffer.alloc(0)
    this.record(this.markers.flush())
    const kept = beyond.read()
    const tail = kept.subarray(beyond.start === 0 ? 0 : lineStart(kept))
    const leftOut = beyond.length - tail.length
    this.moveCut(this.cut + leftOut)
    const markers = this.sections.takeMarkers()
    this.recent.forEach((marker) => this.sections.shown(marker))
    this.recent = []
    this.cut = this.read
    this.beyond = new TailRing(this.tailBytes)
    return Buffer.concat([markers, Buffer.from(seam(leftOut)), tail])
  }

  private keep(chunk: Buffer): void {
    this.beyond ??= new TailRing(this.tailBytes)
    this.beyond.push(chunk)
    this.follow(chunk)
    this.moveCut(this.cut + this.beyond.start)
  }

  private follow(chunk: Buffer): void {
    this.read += chunk.length
    this.record(this.markers.push(chunk))
  }

  private record(markers: readonly SectionMarker[]): void {
    for (const marker of markers) {
      // A marker that the limit splits is no longer visible.
      if (marker.position + marker.bytes.length <= this.cut) this.sections.shown(marker)
      else this.recent.push(marker)
    }
  }

  /** All text before `position` is certain to be left out. */
  private moveCut(position: number): void {
    while (this.recent[0] && this.recent[0].position < position) this.sections.leftOut(this.recent.shift()!)
  }
}

/** The last position up to `position` that does not split a character. */
function characterStart(bytes: Buffer, position: number): number {
  let start = position
  while (start > 0 && isContinuation(bytes[start]!)) start--
  return start
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** The first line that begins in the first half. If there is none, lines are so long that any character will do. */
function lineStart(bytes: Buffer): number {
  const newline = bytes.subarray(0, bytes.length / 2).indexOf(0x0a)
  if (newline !== -1) return newline + 1
  let start = 0
  while (start < bytes.length && isContinuation(bytes[start]!)) start++
  return start
}

function notice(limit: number): string {
  return (
    `\n\x1b[33;1mJob's log exceeded limit of ${limit} bytes.\n` +
    'Job execution will continue but no more output will be collected.\x1b[0;m\n'
  )
}

function seam(leftOut: number): string {
  return `\x1b[33;1m${leftOut} bytes of the log were left out here; its last lines follow.\x1b[0;m\n`
}
