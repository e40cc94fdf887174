import { unlessDamaged } from '../../../git/errors.js'
import type { Project, User } from '../../access/caller.js'
import { namePattern } from '../repositories/browse/name-pattern.js'
import type { Reading } from '../repositories/browse/reading.js'
import { listRefNames, mergedBranches, nameSearch } from '../repositories/browse/ref-lists.js'
import { headOfRef } from '../repositories/head-of-ref.js'
import { logsDamage } from '../repositories/log-damage.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { commitOfRef } from '../repositories/revisions.js'
import { listProtectedRefs } from '../repositories/store.js'
import { presentBranch } from './present.js'
import type { Branch, ListBranches } from './schema.js'

export interface BranchDeps {
  pushes: PushDeps
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** The caller who views the branches of a project. */
export interface BranchViewer {
  project: Project
  user: User | undefined
  accessLevel: number
}

/** Branch names in the requested order. Throws 400 for an invalid regular expression. */
export async function branchNames(
  reading: Reading,
  { search, regex, sort }: ListBranches,
): Promise<string[]> {
  const isFound = nameSearch(search)
  const isMatched = namePattern(regex)
  return listRefNames(reading, 'branch', {
    order: sort === undefined || sort === 'name_asc' ? 'name' : 'updated',
    isDescending: sort === 'updated_desc',
    isWanted: (name) => isFound(name) && isMatched(name),
  })
}

/**
 * Records of the branches, in the order of `names`. A branch that was deleted in the meantime is left out. A branch
 * whose commit cannot be read gets a placeholder that says so, and is logged.
 */
export async function describeBranches(
  { pushes, externalUrl }: BranchDeps,
  { project, user, accessLevel }: BranchViewer,
  reading: Reading,
  names: string[],
): Promise<Branch[]> {
  const { repositories, database } = pushes
  const onDamage = logsDamage(pushes, project)
  const root =
    project.default_branch &&
    (await unlessDamaged(commitOfRef(repositories, project, 'branch', project.default_branch), onDamage))
  const around = {
    project,
    externalUrl,
    accessLevel,
    rules: await listProtectedRefs(database, project.id, user?.id),
    merged: root ? await mergedBranches(reading, root, names) : new Set<string>(),
  }
  const branches: Branch[] = []
  for (const name of names) {
    const head = await headOfRef(reading, { repositories, project, kind: 'branch', name }, onDamage)
    if (head) branches.push(presentBranch(name, head.commit, around))
  }
  return branches
}
