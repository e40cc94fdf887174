import type { CodeOwners, CodeOwnersProblem } from '../../../../code-owners/code-owners.js'
import { PatternsTooComplexError } from '../../../../code-owners/compile-patterns.js'
import { type OwnedPaths, ownedPaths } from '../../../../code-owners/owned-paths.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import { changedFiles, mergeBase } from '../../../hosting/repositories/changed-files.js'
import { readCodeOwners } from '../../../hosting/repositories/read-code-owners.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import {
  codeOwnersByMergeRequest,
  type FoundCodeOwners,
  putCodeOwners,
} from '../../stores/code-owners-store.js'
import { lockMergeRequest, type MergeRequestRow } from '../../stores/merge-request-store.js'

export interface CodeOwnersDeps {
  database: Database
  repositories: Pick<Repositories, 'path' | 'readFile' | 'withSlot'>
}

interface Heads {
  source: string
  target: string
}

/**
 * Finds the owners of the files that a merge request changes, by the file of its target branch, and stores them: once for
 * two heads, not at each read. The repository of the target project must have both commits. It runs git, so it is not for
 * a transaction.
 */
export async function findCodeOwners(
  deps: CodeOwnersDeps,
  row: Pick<MergeRequestRow, 'id' | 'project_id' | 'target_branch'>,
  heads: Heads,
): Promise<FoundCodeOwners> {
  const { database } = deps
  const known = (await codeOwnersByMergeRequest(database, [row.id])).get(row.id)
  if (known && isFor(known, row, heads)) return known
  const found = {
    merge_request_id: row.id,
    head_sha: heads.source,
    target_sha: heads.target,
    target_branch: row.target_branch,
    ...(await ownersBetween(deps, row.project_id, heads)),
  }
  await inTransaction(database, async (tx) => {
    if (await lockMergeRequest(tx, row.id)) await putCodeOwners(tx, found)
  })
  return found
}

/** Whether these owners were found for these two heads. */
function isFor(
  found: Pick<FoundCodeOwners, 'head_sha' | 'target_sha' | 'target_branch'>,
  { target_branch }: Pick<MergeRequestRow, 'target_branch'>,
  { source, target }: Heads,
): boolean {
  return found.head_sha === source && found.target_sha === target && found.target_branch === target_branch
}

async function ownersBetween(
  { repositories }: CodeOwnersDeps,
  projectId: number,
  { source, target }: Heads,
): Promise<Pick<FoundCodeOwners, 'base_sha' | 'file_path' | 'is_complete' | 'owned' | 'problems'>> {
  const gitDir = repositories.path(projectId)
  const file = await readCodeOwners(repositories, projectId, target)
  return repositories.withSlot(projectId, 'inner', async () => {
    const base_sha = (await mergeBase(gitDir, target, source)) ?? target
    const { path: file_path, owners } = file ?? { path: null, owners: NOTHING }
    const paths = owners.sections.length > 0 ? await changedFiles(gitDir, base_sha, source) : []
    const { owned, problem } = ownedAmong(owners, paths)
    return {
      base_sha,
      file_path,
      is_complete: owners.isComplete && problem === undefined,
      owned,
      problems: problem ? [problem, ...owners.problems] : [...owners.problems],
    }
  })
}

const NOTHING: CodeOwners = { sections: [], problems: [], isComplete: true }

const TOO_COMPLEX: CodeOwnersProblem = {
  line: 1,
  kind: 'pattern_too_complex',
  message:
    'It would take too long to compare the changed files with all patterns: use fewer or simpler ones.',
}

function ownedAmong(
  owners: CodeOwners,
  paths: readonly string[],
): { owned: OwnedPaths[]; problem?: CodeOwnersProblem } {
  try {
    return { owned: ownedPaths(owners, paths) }
  } catch (error) {
    if (!(error instanceof PatternsTooComplexError)) throw error
    return { owned: [], problem: TOO_COMPLEX }
  }
}
