import { PatternsTooComplexError } from '../../../../code-owners/compile-patterns.js'
import { type OwnedPaths, ownedPaths } from '../../../../code-owners/owned-paths.js'
import { branchOrTag } from '../../../../git/names.js'
import type { RefChange } from '../../../database/tables/repositories.js'
import { readCodeOwners } from '../read-code-owners.js'
import type { Repositories } from '../repositories.js'

/**
 * Why these changes of branches are refused, one sentence each: they change files whose owners must approve, which only a
 * merge request can do. The file of code owners counts as it was before. `pathsBetween`: paths that differ.
 */
export async function ownedChanges(
  repositories: Pick<Repositories, 'readFile'>,
  projectId: number,
  changes: readonly RefChange[],
  pathsBetween: (before: string, after: string) => Promise<string[]>,
): Promise<string[]> {
  const reasons: string[] = []
  for (const { ref, before, after } of changes) {
    const file = await readCodeOwners(repositories, projectId, before)
    if (!file) continue
    const branch = branchOrTag(ref)?.name ?? ref
    const paths = await pathsBetween(before, after)
    if (paths.length === 0) continue
    const owned = requiredAmong(file.owners, paths)
    if (owned === undefined || (owned.length === 0 && !file.owners.isComplete)) {
      reasons.push(
        `The owners of the changed files of ${branch} are not known: ${file.path} is too large. ${REMEDY}`,
      )
    } else if (owned[0]) {
      reasons.push(
        `${owned[0].paths[0]} has owners (${file.path}, line ${owned[0].line}), who must approve changes of ${branch}. ${REMEDY}`,
      )
    }
  }
  return reasons
}

const REMEDY = 'Please open a merge request.'

/** Undefined if it would take too long to find out. */
function requiredAmong(
  owners: Parameters<typeof ownedPaths>[0],
  paths: readonly string[],
): OwnedPaths[] | undefined {
  try {
    return ownedPaths(owners, paths).filter(({ isOptional }) => !isOptional)
  } catch (error) {
    if (!(error instanceof PatternsTooComplexError)) throw error
    return undefined
  }
}
