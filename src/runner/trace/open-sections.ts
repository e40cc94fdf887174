import type { LimitState } from './limit-state.js'
import { markerOf, markerState, type SectionMarker } from './section-markers.js'

/** Maximum number of open sections that are tracked. No view nests deeper. */
const MAX_OPEN = 100

/**
 * Tracks which sections are open where text is left out. Provides the markers that replace the omitted part: the
 * ends of sections that were open before it, and the starts of those that are open after it.
 */
export class OpenSections {
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
