import { type Static, Type } from 'typebox'

import { flag, text } from '../../../http/parameters/described.js'
import type { FileDiff } from './diffs.js'

/** One changed file as the API shows it (API, E5). */
export const DiffEntry = Type.Object({
  diff: text(
    'Change of the file from its first @@ on; empty for files without lines and for changes too large to show',
  ),
  new_path: text('Path behind the change'),
  old_path: text('Path before the change'),
  a_mode: text('Git mode before the change; 0 when the file is new'),
  b_mode: text('Git mode behind the change; 0 when the file is deleted'),
  new_file: flag('Whether the file is new'),
  renamed_file: flag('Whether the file has another path than before'),
  deleted_file: flag('Whether the file is deleted'),
  generated_file: flag('Whether a tool wrote the file; always false'),
  collapsed: flag('Whether the change is left out and may be asked for; always false'),
  too_large: flag('Whether the change is too large to show'),
})
export type DiffEntry = Static<typeof DiffEntry>

export function presentDiff(file: FileDiff): DiffEntry {
  return {
    diff: file.diff,
    new_path: file.newPath,
    old_path: file.redirect,
    a_mode: file.oldMode,
    b_mode: file.newMode,
    new_file: file.isNew,
    renamed_file: file.isRenamed,
    deleted_file: file.isDeleted,
    generated_file: false,
    collapsed: false,
    too_large: file.isTooLarge,
  }
}
