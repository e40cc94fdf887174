import { type GitError, isDamage } from '../../../git/errors.js'
import { type RefKind, ZERO_ID } from '../../../git/names.js'
import type { Commit } from '../../../git/parse-commit.js'
import type { Project } from '../../access/caller.js'
import { commitById } from './browse/commit-log.js'
import type { Reading } from './browse/reading.js'
import { REF_FOLDERS } from './browse/ref-lists.js'
import type { Repositories } from './repositories.js'
import { commitOfRef } from './revisions.js'
import { storedRef } from './stored-ref.js'

/** The branch or tag of a project that a list shows. */
export interface ListedRef {
  repositories: Pick<Repositories, 'resolveRef'>
  project: Project
  kind: RefKind
  name: string
}

/** The commit of a branch or tag. `isDamaged` means that it cannot be read, and that `commit` stands in for it. */
export interface RefHead {
  commit: Commit
  isDamaged: boolean
}

/** Clients decode a date in each commit. */
const NO_DATE = '1970-01-01T00:00:00.000+00:00'

/**
 * The head of a branch or tag of a list; undefined if it was deleted in the meantime. If the commit cannot be read, a
 * placeholder that says so replaces it, so that the branch or tag is visible and can be deleted.
 */
export async function headOfRef(
  reading: Reading,
  { repositories, project, kind, name }: ListedRef,
  onDamage: (error: GitError) => void,
): Promise<RefHead | undefined> {
  try {
    const sha = await commitOfRef(repositories, project, kind, name)
    return sha === undefined ? undefined : { commit: await commitById(reading, sha), isDamaged: false }
  } catch (error) {
    if (!isDamage(error)) throw error
    onDamage(error)
    const stored = await storedRef(reading.gitDir, REF_FOLDERS[kind] + name)
    const id = stored?.kind === 'id' ? stored.id : ZERO_ID
    return { commit: standIn(id, error.damage ?? error.message), isDamaged: true }
  }
}

function standIn(id: string, damage: string): Commit {
  return {
    id,
    parentIds: [],
    title: 'The commit cannot be read',
    message: `The commit cannot be read\n\n${damage}.`,
    authorName: '',
    authorEmail: '',
    authoredDate: NO_DATE,
    committerName: '',
    committerEmail: '',
    committedDate: NO_DATE,
  }
}
