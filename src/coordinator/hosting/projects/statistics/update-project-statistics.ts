import type { Project } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import { inTransaction } from '../../../database/transaction.js'
import {
  headOf,
  type ProjectSize,
  readRepositoryStatistics,
  type StatisticsRepositories,
} from './repository-statistics.js'

export interface StatisticsDeps {
  database: Database
  repositories: StatisticsRepositories
}

/** Updates the stored statistics if the default branch has moved. */
export async function refreshStatistics(deps: StatisticsDeps, project: Project): Promise<void> {
  const { database, repositories } = deps
  const stored = await database
    .selectFrom('project_measure')
    .select('head_sha')
    .where('project_id', '=', project.id)
    .executeTakeFirst()
  const { default_branch: branch } = project
  const head = branch === null ? undefined : await headOf(repositories, project.id, branch)
  if (stored && stored.head_sha === (head ?? null)) return
  await updateProjectStatistics(deps, project)
}

/** Computes the statistics with git and replaces the stored ones. */
export async function updateProjectStatistics(
  { database, repositories }: StatisticsDeps,
  project: Project,
): Promise<void> {
  const measured_at = Date.now()
  const { languages, ...measure } = await readRepositoryStatistics(
    repositories,
    project.id,
    project.default_branch,
  )
  await store(database, project.id, { ...measure, measured_at }, languages)
}

function store(
  database: Database,
  project_id: number,
  measure: Omit<ProjectSize, 'languages'> & { measured_at: number },
  languages: ProjectSize['languages'],
): Promise<void> {
  return inTransaction(database, async (tx) => {
    // The lock on the project serializes concurrent updates. A project deleted in the meantime has no
    // statistics.
    const project = await tx
      .selectFrom('project')
      .select('id')
      .where('id', '=', project_id)
      .executeTakeFirst()
    if (!project) return
    await tx
      .insertInto('project_measure')
      .values({ project_id, ...measure })
      .onConflict((conflict) => conflict.column('project_id').doUpdateSet(measure))
      .execute()
    await tx.deleteFrom('project_language').where('project_id', '=', project_id).execute()
    if (languages.length === 0) return
    const rows = languages.map((language) => ({ project_id, ...language }))
    await tx.insertInto('project_language').values(rows).execute()
  })
}
