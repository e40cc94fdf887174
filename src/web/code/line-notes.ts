import type { ComponentChildren } from 'preact'

import type { LinePlace } from './line-places.js'

/** What a page shows below lines of changes. */
export interface LineNotes {
  /** Something is shown below at least one line. */
  isShown: boolean
  below: (place: LinePlace) => ComponentChildren
  /** Begins a note below a line; absent for those who may not. */
  start?: ((place: LinePlace) => void) | undefined
}
