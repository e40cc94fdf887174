import type { LimitState } from './limit-state.js'
import { markerOf, markerState, type SectionMarker } from './section-markers.js'

/** More sections than this are not kept in mind: no view nests so deep. */
const MAX_OPEN = 100

/**
 * Which sections are open where a text is cut, and which markers make up for a piece that is left out of it: the ends
 * of sections that were open before the piece, and the beginnings of those that are open after it.
 */
export class OpenSections {
  private before: SectionMarker[] = []
  private ends: SectionMarker[] = []
  private starts: SectionMarker[] = []

  /** A marker of the text that is shown. */
  shown(marker: SectionMarker): void {
    if (marker.kind === 'start') open(this.before, marker)
    else close(this.before, marker)
  }

  /** A marker of the piece that is left out. */
  leftOut(marker: SectionMarker): void {
    if (marker.kind === 'start') open(this.starts, marker)
    else if (!close(this.starts, marker) && close(this.before, marker)) this.ends.push(marker)
  }

  /** The markers to show in the place of the piece, which is over: they count as shown from now on. */
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

  /** Goes on where others like these were. */
  restore({ before, ends, starts }: LimitState['sections']): void {
    this.before = before.map(markerOf)
    this.ends = ends.map(markerOf)
    this.starts = starts.map(markerOf)
  }
}

function open(sections: SectionMarker[], marker: SectionMarker): void {
  if (sections.length < MAX_OPEN) sections.push(marker)
}

/** Ends the innermost open section of the name; whether there was one. */
function close(sections: SectionMarker[], { name }: SectionMarker): boolean {
  const index = sections.findLastIndex((section) => section.name === name)
  if (index === -1) return false
  sections.splice(index, 1)
  return true
}
