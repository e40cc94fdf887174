import type { ComponentChildren } from 'preact'

import type { DiffFile } from './diff-files.js'
import type { ShownLine } from './diff-rows.js'
import type { LinePosition } from './line-positions.js'

/** What a page shows beside and below lines of changes. */
export interface LineNotes {
  /** Something is shown below at least one line. */
  isShown: boolean
  below: (position: LinePosition) => ComponentChildren
  /** Begins a note below a line; absent for those who may not. */
  start?: ((position: LinePosition) => void) | undefined
  /** Before the text of a line. */
  mark?: ((path: string, line: ShownLine) => ComponentChildren) | undefined
  /** In the heading of a file. */
  heading?: ((file: DiffFile) => ComponentChildren) | undefined
}
