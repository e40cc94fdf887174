import type { ByteFilter } from './byte-filter.js'
import type { LimitState } from './limit-state.js'
import { OpenSections } from './open-sections.js'
import { markerOf, markerState, type SectionMarker, SectionMarkers } from './section-markers.js'
import { TailRing } from './tail-ring.js'

/** Bytes of the end of a trace that are shown although it is over its limit. */
const TAIL_BYTES = 64 * 1024

/**
 * Lets `limit` bytes through and says so (runner protocol, 4.3). Of what follows, the end is kept and shown when the
 * text is over, which the reference runner does not do:
 *
 *     within the limit │ notice │ … left out … │ markers │ how much was left out │ the last lines
 *
 * What is given depends on the bytes alone, not on their chunks. Section markers that were left out are made up for,
 * so that a view finds every section opened and closed as it was. Expects valid UTF-8. What comes after `flush` is
 * beyond the limit as well.
 */
export class OutputLimit implements ByteFilter {
  private passed = 0
  private beyond: TailRing | undefined
  private readonly markers = new SectionMarkers()
  private readonly sections = new OpenSections()
  /** Markers beyond the limit that may belong to the tail. */
  private recent: SectionMarker[] = []
  /** Position where the text beyond the limit begins, as `SectionMarkers` counts. */
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

  /** Text that was given before, by a limit like this one. What that one left out beyond its notice is its `state`. */
  resume(chunk: Buffer): void {
    if (!this.beyond) this.push(chunk)
  }

  /** What is known of the text beyond the limit; undefined while there is none. */
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

  /** Goes on where a limit like this one was. */
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
    this.note(this.markers.flush())
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
    this.note(this.markers.push(chunk))
  }

  private note(markers: readonly SectionMarker[]): void {
    for (const marker of markers) {
      // One that the limit cuts through is not seen any more.
      if (marker.position + marker.bytes.length <= this.cut) this.sections.shown(marker)
      else this.recent.push(marker)
    }
  }

  /** Before `position` all is left out for certain. */
  private moveCut(position: number): void {
    while (this.recent[0] && this.recent[0].position < position) this.sections.leftOut(this.recent.shift()!)
  }
}

/** The nearest position at or before `position` that splits no character. */
function characterStart(bytes: Buffer, position: number): number {
  let start = position
  while (start > 0 && isContinuation(bytes[start]!)) start--
  return start
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

/** The first line that begins in the first half; without one, lines are so long that any character will do. */
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
