import type { ComponentChildren } from 'preact'

import type { LinePosition } from './line-positions.js'

/** What a page shows below lines of changes. */
export interface LineNotes {
  /** Something is shown below at least one line. */
  isShown: boolean
  below: (position: LinePosition) => ComponentChildren
  /** Begins a note below a line; absent for those who may not. */
  start?: ((position: LinePosition) => void) | undefined
}
