import { isInScope } from '../../../../ci-config/variables/environment-scope.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import { isFinished } from '../../engine/job-status.js'
import { findPipeline, findProject } from '../../engine/pipeline-store.js'
import { settingsVariables } from '../../predefined-variables/settings-variables.js'
import type { TraceIndexes } from '../../storage/trace-indexes.js'
import { buildPayload } from '../payload/build-payload.js'
import { type LoadFactsDeps, loadPayloadFacts } from '../payload/load-facts.js'
import { findRunner } from '../payload/store.js'
import { findProjectsOfJobs } from '../store.js'
import type { JobReproduction, WithheldVariable } from './schema.js'
import { sentVariables } from './sent-variables.js'
import { usedImages } from './used-images.js'

export interface ReproductionDeps extends LoadFactsDeps {
  traceIndexes: TraceIndexes
}

/** For a job whose runner is gone, or that no runner has taken. */
const NO_RUNNER = { id: 0, description: '', tag_list: [], runner_type: 'project_type' as const }

/**
 * What it takes to run a job again elsewhere: what its runner would get now, without any secret. `mayRunJobs`: whether the
 * caller may start jobs of the project.
 */
export async function describeReproduction(
  deps: ReproductionDeps,
  job: JobRow,
  { mayRunJobs }: { mayRunJobs: boolean },
): Promise<JobReproduction> {
  const { database, server } = deps
  const [pipeline, project, runner, images] = await Promise.all([
    findPipeline(database, job.pipeline_id),
    findProject(database, job.project_id),
    job.runner_id === null ? undefined : findRunner(database, job.runner_id),
    deps.traceIndexes.withLog(job, { isFinished: isFinished(job.status) }, async (log) =>
      log ? await usedImages(log) : [],
    ),
  ])
  const { idTokens: _tokens, secrets: _secrets, ...options } = job.options
  const facts = await loadPayloadFacts(deps, {
    // Neither protected variables nor ID tokens are read.
    job: { ...job, options, protected: false },
    pipeline,
    project,
    runner: runner ?? NO_RUNNER,
    token: '',
    together: [job.id],
  })
  const protectedOnes = job.protected
    ? (await settingsVariables(deps, project, true)).filter(
        (one) => one.protected && isInScope(one.environmentScope ?? '*', options.environment?.name),
      )
    : []
  const ofJob = { ...facts, job: { ...facts.job, protected: job.protected } }
  const { variables, withheld } = sentVariables(ofJob, protectedOnes, mayRunJobs)
  const payload = buildPayload(ofJob, variables)
  return {
    payload: {
      ...payload,
      git_info: { ...payload.git_info, repo_url: `${server.externalUrl}/${project.full_path}.git` },
    },
    withheld: [...withheld, ...namedInKeywords(job.options)],
    images,
    sources: await findProjectsOfJobs(
      database,
      facts.dependencies.map(({ id }) => id),
    ),
  }
}

/** What runners read from secrets providers, and what is signed for each job. */
function namedInKeywords({ secrets = {}, idTokens = {} }: JobRow['options']): WithheldVariable[] {
  return [
    ...Object.keys(secrets).map((key) => ({ key, reason: 'external_secret' as const, file: true })),
    ...Object.keys(idTokens).map((key) => ({ key, reason: 'id_token' as const, file: false })),
  ]
}
