import { type Static, Type } from 'typebox'

import type { ByteFilter } from './byte-filters.js'
import { TailRing } from './tail-ring.js'

/** Bytes at the end of a log that are shown although it exceeds its limit. */
const TAIL_BYTES = 64 * 1024

/**
 * Passes `limit` bytes on, then a notice (runner protocol, 4.3). The end of the text beyond the limit is kept, and
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

/** A `SectionMarker` as JSON. */
const Marker = Type.Object({
  kind: Type.Enum(['start', 'end']),
  name: Type.String(),
  position: Type.Integer(),
  /** In base64, like all bytes in this state. */
  bytes: Type.String(),
})

/** The state of an `OutputLimit` beyond its limit, as JSON. */
export const LimitState = Type.Object({
  /** Bytes of text read so far, including those that were left out. */
  read: Type.Integer(),
  /** Position at which the text beyond the limit begins. */
  cut: Type.Integer(),
  /** Number of bytes beyond the limit so far, and the last of them. */
  beyond: Type.Integer(),
  tail: Type.String(),
  recent: Type.Array(Marker),
  sections: Type.Object({
    before: Type.Array(Marker),
    ends: Type.Array(Marker),
    starts: Type.Array(Marker),
  }),
  markers: Type.Object({ held: Type.String(), position: Type.Integer() }),
})
export type LimitState = Static<typeof LimitState>
type MarkerState = Static<typeof Marker>

/** Maximum number of open sections that are tracked. No view nests deeper. */
const MAX_OPEN = 100

/**
 * Tracks which sections are open where text is left out. Provides the markers that replace the omitted part: the
 * ends of sections that were open before it, and the starts of those that are open after it.
 */
class OpenSections {
  private before: SectionMarker[] = []
  private ends: SectionMarker[] = []
  private starts: SectionMarker[] = []

  /** Records a marker in the visible text. */
  shown(marker: SectionMarker): void {
    if (marker.kind === 'start') open(this.before, marker)
    else close(this.before, marker)
  }

  /** Records a marker in the omitted text. */
  leftOut(marker: SectionMarker): void {
    if (marker.kind === 'start') open(this.starts, marker)
    else if (!close(this.starts, marker) && close(this.before, marker)) this.ends.push(marker)
  }

  /** Ends the omitted part and returns the markers that replace it. They count as visible from now on. */
  takeMarkers(): Buffer {
    const markers = [...this.ends, ...this.starts]
    this.before.push(...this.starts)
    this.ends = []
    this.starts = []
    return Buffer.concat(markers.map((marker) => marker.bytes))
  }

  get state(): LimitState['sections'] {
    const { before, ends, starts } = this
    return {
      before: before.map(markerState),
      ends: ends.map(markerState),
      starts: starts.map(markerState),
    }
  }

  /** Restores the state of another instance. */
  restore({ before, ends, starts }: LimitState['sections']): void {
    this.before = before.map(markerOf)
    this.ends = ends.map(markerOf)
    this.starts = starts.map(markerOf)
  }
}

function open(sections: SectionMarker[], marker: SectionMarker): void {
  if (sections.length < MAX_OPEN) sections.push(marker)
}

/** Closes the innermost open section with this name. Returns whether there was one. */
function close(sections: SectionMarker[], { name }: SectionMarker): boolean {
  const index = sections.findLastIndex((section) => section.name === name)
  if (index === -1) return false
  sections.splice(index, 1)
  return true
}

/** A section marker in a text (runner protocol, 4.4). */
interface SectionMarker {
  kind: 'start' | 'end'
  name: string
  /** Position of its first byte in the whole text. */
  position: number
  /** The marker as it was written. */
  bytes: Buffer
}

function markerState({ bytes, ...marker }: SectionMarker): MarkerState {
  return { ...marker, bytes: bytes.toString('base64') }
}

function markerOf({ bytes, ...marker }: MarkerState): SectionMarker {
  return { ...marker, bytes: Buffer.from(bytes, 'base64') }
}

const BEGINNING = Buffer.from('section_')
/** Longer texts are not treated as markers. */
const MAX_MARKER_BYTES = 512
const MARKER = /^section_(start|end):\d{1,20}:([\w.-]{1,255})(?:\[[\w=,.-]{0,200}\])?/
const MARKER_END = '\r\x1b[0K'

/**
 * Finds the section markers in a text that arrives in chunks. A marker is reported after at most `MAX_MARKER_BYTES`
 * more bytes, or at the end. The bytes in between are held.
 */
class SectionMarkers {
  private held: Buffer = Buffer.alloc(0)
  /** Position of the first held byte. */
  private position = 0

  push(chunk: Buffer): SectionMarker[] {
    const bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk])
    return this.read(bytes, MAX_MARKER_BYTES)
  }

  flush(): SectionMarker[] {
    return this.read(this.held, 1)
  }

  get state(): LimitState['markers'] {
    return { held: this.held.toString('base64'), position: this.position }
  }

  /** Continues from the state of another instance. */
  restore({ held, position }: LimitState['markers']): void {
    this.held = Buffer.from(held, 'base64')
    this.position = position
  }

  /**
   * The start of a marker is only checked once `needed` bytes are available, so that the result does not depend on
   * chunks.
   */
  private read(bytes: Buffer, needed: number): SectionMarker[] {
    const markers: SectionMarker[] = []
    let index = bytes.indexOf(BEGINNING)
    while (index !== -1 && bytes.length - index >= needed) {
      const marker = markerAt(bytes, index)
      if (marker) markers.push({ ...marker, position: this.position + index })
      index = bytes.indexOf(BEGINNING, index + (marker?.bytes.length ?? 1))
    }
    const keep = index === -1 ? startOfBeginning(bytes) : index
    this.held = Buffer.from(bytes.subarray(keep))
    this.position += keep
    return markers
  }
}

function markerAt(bytes: Buffer, index: number): Omit<SectionMarker, 'position'> | undefined {
  const text = bytes.toString('latin1', index, index + MAX_MARKER_BYTES)
  const match = MARKER.exec(text)
  if (!match?.[2] || !text.startsWith(MARKER_END, match[0].length)) return undefined
  return {
    kind: match[1] === 'start' ? 'start' : 'end',
    name: match[2],
    bytes: Buffer.from(match[0] + MARKER_END, 'latin1'),
  }
}

/** The position of the bytes that could still become a marker, if they contain no complete start of one. */
function startOfBeginning(bytes: Buffer): number {
  for (let start = Math.max(0, bytes.length - BEGINNING.length + 1); start < bytes.length; start++) {
    if (BEGINNING.subarray(0, bytes.length - start).equals(bytes.subarray(start))) return start
  }
  return bytes.length
}
