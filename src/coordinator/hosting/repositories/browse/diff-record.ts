import { type Static, Type } from 'typebox'

import { flag, text } from '../../../http/parameters/described.js'
import type { FileDiff } from './diffs.js'
import { generatedPaths } from './generated-paths.js'
import type { Reading } from './reading.js'

/** One changed file as shown by the API (API, E5). */
export const DiffEntry = Type.Object({
  diff: text(
    'Diff of the file from its first @@ on; empty for binary files and for changes that are too large',
  ),
  new_path: text('Path after the change'),
  old_path: text('Path before the change'),
  a_mode: text('Git mode before the change; 0 when the file is new'),
  b_mode: text('Git mode after the change; 0 when the file is deleted'),
  new_file: flag('Whether the file was added'),
  renamed_file: flag('Whether the file was renamed'),
  deleted_file: flag('Whether the file was deleted'),
  generated_file: flag('Whether `.gitattributes` says that the file is generated, or has no diff to read'),
  collapsed: flag('Whether the diff is collapsed and available on request; always false'),
  too_large: flag('Whether the diff is too large to show'),
})
export type DiffEntry = Static<typeof DiffEntry>

/** Changed files of a commit, whose attributes say which of them are generated. */
export async function presentDiffs(
  reading: Pick<Reading, 'objects'>,
  commit: string,
  files: readonly FileDiff[],
): Promise<DiffEntry[]> {
  const generated = await generatedPaths(
    reading,
    commit,
    files.map(({ newPath }) => newPath),
  )
  return files.map((file) => presentDiff(file, generated.has(file.newPath)))
}

function presentDiff(file: FileDiff, isGenerated: boolean): DiffEntry {
  return {
    diff: file.diff,
    new_path: file.newPath,
    old_path: file.oldPath,
    a_mode: file.oldMode,
    b_mode: file.newMode,
    new_file: file.isNew,
    renamed_file: file.isRenamed,
    deleted_file: file.isDeleted,
    generated_file: isGenerated,
    collapsed: false,
    too_large: file.isTooLarge,
  }
}
