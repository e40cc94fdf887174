import type { Project } from '../../access/caller.js'
import { presentCommitRecord } from '../../http/presenters/present-commit.js'
import { presentPipelineBrief } from '../../http/presenters/present-pipeline.js'
import { statsOf, trailersOf } from '../repositories/browse/commit-facts.js'
import { commitById } from '../repositories/browse/commit-log.js'
import type { Reading } from '../repositories/browse/reading.js'
import type { CommitDeps } from './list-commits.js'
import type { SingleCommit } from './schema.js'
import { findLatestPipelineOfCommit } from './store.js'

interface About {
  project: Project
  reading: Reading
  withStats: boolean
  /** Whether the caller may read pipelines. */
  showsPipelines: boolean
}

/** Record of one commit; `sha` must be the ID of an existing commit. */
export async function describeCommit(
  { pushes, externalUrl }: CommitDeps,
  { project, reading, withStats, showsPipelines }: About,
  sha: string,
): Promise<SingleCommit> {
  const projectUrl = `${externalUrl}/${project.full_path}`
  const pipeline = showsPipelines
    ? await findLatestPipelineOfCommit(pushes.database, project.id, sha)
    : undefined
  const trailers = (await trailersOf(reading, [sha])).get(sha)
  const stats = withStats ? (await statsOf(reading, [sha])).get(sha) : undefined
  return {
    ...presentCommitRecord(await commitById(reading, sha), projectUrl, trailers),
    ...(stats && { stats }),
    project_id: project.id,
    status: pipeline?.status ?? null,
    last_pipeline: pipeline ? presentPipelineBrief(pipeline, projectUrl) : null,
  }
}
