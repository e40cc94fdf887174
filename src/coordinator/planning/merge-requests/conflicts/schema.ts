import { type Static, Type } from 'typebox'

import { described, optional } from '../../../http/parameters/described.js'
import { Nullable } from '../../../http/parameters/types.js'
import { ByIid } from '../schema.js'

/** Most conflicting files that are resolved together. */
export const MAX_FILES = 100
/** Largest text that is shown and written, in bytes. */
export const MAX_FILE_BYTES = 512 * 1024

const Sha = Type.String({ pattern: '^[0-9a-f]{40,64}$' })
const heads = {
  source_sha: described(Sha, 'Head of the source branch.'),
  target_sha: described(Sha, 'Head of the target branch.'),
}

export const Conflicts = Type.Object({
  ...heads,
  files: described(
    Type.Array(
      Type.Object({
        path: described(Type.String(), 'Path of the file.'),
        content: described(
          Nullable(Type.String()),
          'The file with both sides of each conflict between markers, that of the source branch first; null for a file that can only be resolved with git: it is no text, too large, or was deleted or moved on one side.',
        ),
      }),
    ),
    'Files with conflicts; none if the branches can be merged.',
  ),
})
export type Conflicts = Static<typeof Conflicts>

export const ResolveConflicts = Type.Object({
  ...ByIid.properties,
  ...heads,
  commit_message: optional(Type.String({ minLength: 1, maxLength: 100_000 }), 'Message of the merge commit.'),
  files: described(
    Type.Array(
      Type.Object({
        path: described(Type.String({ maxLength: 4096 }), 'Path of the file.'),
        content: described(Type.String({ maxLength: MAX_FILE_BYTES }), 'Its whole content, without markers.'),
      }),
      { minItems: 1, maxItems: MAX_FILES },
    ),
    'All files with conflicts.',
  ),
})
export type ResolveConflicts = Static<typeof ResolveConflicts>

export const Resolved = Type.Object({ commit_id: described(Type.String(), 'ID of the merge commit.') })
