import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { setCommitStatus } from '../commit-statuses/set-commit-status.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { findPipeline, findProject } from '../engine/pipeline-store.js'
import { findUser } from '../engine/user-store.js'
import { type SiteOrigins, siteUrl } from '../site-addresses/site-origins.js'
import type { SiteOutcome } from './publish-sites.js'

/** Of the entry in the pipeline (CI language, 3.15). */
const STATUS_NAME = 'pages:deploy'

/** Adds the entry `pages:deploy` to the pipeline of a job. A site that is not published fails it. */
export async function reportSite(
  engine: EngineDeps,
  origins: SiteOrigins,
  job: JobRow,
  outcome: SiteOutcome,
): Promise<void> {
  const { database } = engine
  const project = await findProject(database, job.project_id)
  const pipeline = await findPipeline(database, job.pipeline_id)
  const user = await findUser(database, job.user_id)
  await setCommitStatus(engine, {
    project,
    user,
    sha: pipeline.sha,
    pipelineId: pipeline.id,
    name: STATUS_NAME,
    state: outcome.state,
    ...(outcome.state === 'success'
      ? { targetUrl: siteUrl(origins, project.full_path, outcome.pathPrefix) }
      : { description: outcome.problem }),
  })
}
