import { runGit } from '../../../../git/run-git.js'
import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { isAncestor } from '../../../hosting/repositories/changed-files.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'

/**
 * Most merge requests that are looked at. They are the oldest ones whose history has the commit: all that are newer than
 * the one that has brought it have it, too.
 */
const MOST = 50

/** Merge requests of a project that contain a commit, or whose merge or squash it is; the newest first. */
export async function mergeRequestsWith(
  { database, repositories }: { database: Database; repositories: Pick<Repositories, 'withSlot' | 'path'> },
  project: Project,
  sha: string,
): Promise<MergeRequestRow[]> {
  const gitDir = repositories.path(project.id)
  const iids = await repositories.withSlot(project.id, 'inner', () => withCommit(gitDir, sha))
  const candidates = await database
    .selectFrom('merge_request')
    .innerJoin('merge_request_version', 'merge_request_version.merge_request_id', 'merge_request.id')
    .select(['merge_request.id', 'merge_request_version.start_sha'])
    .where('merge_request.project_id', '=', project.id)
    .where('merge_request.iid', 'in', iids)
    .whereRef('merge_request_version.head_sha', '=', 'merge_request.head_sha')
    .execute()
  const ids = new Set<number>()
  for (const { id, start_sha } of candidates) {
    const isOld = await repositories.withSlot(project.id, 'inner', () => isAncestor(gitDir, sha, start_sha))
    if (!isOld) ids.add(id)
  }
  return database
    .selectFrom('merge_request')
    .selectAll()
    .where('project_id', '=', project.id)
    .where(({ or, eb }) =>
      or([eb('id', 'in', [...ids]), eb('merge_commit_sha', '=', sha), eb('squash_commit_sha', '=', sha)]),
    )
    .orderBy('id', 'desc')
    .execute()
}

/** Numbers of the oldest merge requests whose heads have the commit in their history. */
async function withCommit(gitDir: string, sha: string): Promise<number[]> {
  const format = ['for-each-ref', '--format=%(refname:lstrip=2)', `--contains=${sha}`]
  const output = await runGit(['--git-dir', gitDir, ...format, 'refs/merge-requests/*/head'])
  const numbers = output.split('\n').flatMap((name) => (name === '' ? [] : [Number(name.split('/')[0])]))
  return numbers.toSorted((one, other) => one - other).slice(0, MOST)
}
