import type { LimitState, MarkerState } from './limit-state.js'

/** A section marker in a text (runner protocol, 4.4). */
export interface SectionMarker {
  kind: 'start' | 'end'
  name: string
  /** Position of its first byte in the whole text. */
  position: number
  /** The marker as it was written. */
  bytes: Buffer
}

export function markerState({ bytes, ...marker }: SectionMarker): MarkerState {
  return { ...marker, bytes: bytes.toString('base64') }
}

export function markerOf({ bytes, ...marker }: MarkerState): SectionMarker {
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
export class SectionMarkers {
  private held: Buffer = Buffer.alloc(0)
  /** Position of the first held byte. */
  private position = 0

  push(chunk: Buffer): SectionMarker[] {
    return this.read(Buffer.concat([this.held, chunk]), MAX_MARKER_BYTES)
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
