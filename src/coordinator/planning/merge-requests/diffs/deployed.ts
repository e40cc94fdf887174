import type { Selectable } from 'kysely'

import { runGit } from '../../../../git/run-git.js'
import type { Database } from '../../../database/connect.js'
import type { DeploymentTable } from '../../../database/tables/environments.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import type { MergeRequestRow } from '../../stores/merge-request-store.js'

export interface DeployedDeps {
  database: Database
  repositories: Pick<Repositories, 'withSlot' | 'path'>
}

type Deployment = Selectable<DeploymentTable>

/** Most commits of one deployment that are looked at; the newest ones are. */
const MAX_COMMITS = 5000

/** IDs per statement in both databases. */
const PER_QUERY = 500

/**
 * The merge requests that a successful deployment has brought to its environment, by their commits since the successful
 * deployment before it; the newest first. None for a deployment that has not succeeded, and for the first one.
 */
export async function deployedBy(
  { database, repositories }: DeployedDeps,
  deployment: Deployment,
  signal?: AbortSignal,
): Promise<MergeRequestRow[]> {
  if (deployment.status !== 'success') return []
  const previous = await database
    .selectFrom('deployment')
    .select('sha')
    .where('environment_id', '=', deployment.environment_id)
    .where('status', '=', 'success')
    .where('id', '<', deployment.id)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!previous) return []
  const range = `${previous.sha}..${deployment.sha}`
  const { project_id } = deployment
  const args = [
    ...['--git-dir', repositories.path(project_id), 'rev-list', `--max-count=${MAX_COMMITS}`],
    ...['--ignore-missing', '--end-of-options', range],
  ]
  const output = await repositories.withSlot(project_id, 'inner', () => runGit(args, { signal }), signal)
  const commits = output.split('\n').filter((sha) => sha !== '')
  const rows: MergeRequestRow[] = []
  for (let at = 0; at < commits.length; at += PER_QUERY) {
    rows.push(...(await mergedBy(database, project_id, commits.slice(at, at + PER_QUERY))))
  }
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...byId.values()].toSorted((one, other) => other.id - one.id)
}

/** Merged by one of the commits, or by a fast-forward to it. */
function mergedBy(
  database: Database,
  projectId: number,
  commits: readonly string[],
): Promise<MergeRequestRow[]> {
  return database
    .selectFrom('merge_request')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('state', '=', 'merged')
    .where(({ or, eb }) =>
      or(
        (['merge_commit_sha', 'squash_commit_sha', 'head_sha'] as const).map((column) =>
          eb(column, 'in', commits),
        ),
      ),
    )
    .execute()
}
