import { FAILURE_REASONS } from '../../../../protocol/failure-reason.js'
import type { JobDependency, JobInfo, JobPayload } from '../../../../protocol/job-payload.js'
import { gitInfo } from './git-clone-settings.js'
import { jobArtifacts } from './job-artifacts.js'
import { jobCaches } from './job-caches.js'
import { jobHooks } from './job-hooks.js'
import { jobImage, jobService } from './job-images.js'
import { jobSecrets } from './job-secrets.js'
import { jobSteps } from './job-steps.js'
import { jobVariables } from './job-variables.js'
import type { PayloadFacts } from './payload-facts.js'

/** Prefixes of tokens that runners mask even if no variable contains them (runner protocol, 4.6). */
const TOKEN_MASK_PREFIXES = ['glpat-', 'glrt-', 'glcbt-', 'glptt-', 'gldt-', 'glrtr-']

/**
 * Builds the response to a job request (runner protocol, 2.4) from `facts` alone. Throws
 * `SecretsProviderMissingError`. `variables`: those of the job.
 */
export function buildPayload(facts: PayloadFacts, variables = jobVariables(facts)): JobPayload {
  const { job, project, token } = facts
  const timeout = job.timeout ?? job.options.timeout ?? project.build_timeout
  const secrets = jobSecrets(job, variables)
  return {
    id: job.id,
    token,
    allow_git_fetch: project.build_git_strategy === 'fetch',
    job_info: jobInfo(facts),
    git_info: gitInfo(facts, variables),
    runner_info: { timeout, runner_session_url: null },
    inputs: [],
    variables,
    ...scriptsOf(facts, timeout),
    ...(secrets && { secrets }),
    hooks: jobHooks(job.options.hooks),
    image: job.options.image ? jobImage(job.options.image) : null,
    services: job.options.services.map(jobService),
    artifacts: jobArtifacts(job.options.artifacts),
    cache: jobCaches(facts),
    credentials: [],
    dependencies: dependencies(facts),
    features: {
      trace_sections: true,
      job_signals: true,
      job_holds: true,
      failure_reasons: [...FAILURE_REASONS],
      token_mask_prefixes: [...TOKEN_MASK_PREFIXES, ...(facts.tokenPrefix ? [facts.tokenPrefix] : [])],
      ...(facts.artifactsMaxBytes !== undefined && { max_artifacts_size: facts.artifactsMaxBytes }),
      coordinator_cache: true,
      resumable_uploads: true,
      script_steps: true,
      host_reports: true,
      ...(facts.leaseSeconds !== undefined && { lease_seconds: facts.leaseSeconds }),
    },
  }
}

/** Native steps are sent as JSON text and replace the other steps (runner protocol, 2.4). */
function scriptsOf(facts: PayloadFacts, timeout: number): Pick<JobPayload, 'steps' | 'run'> {
  const { run } = facts.job.options
  return run ? { run: JSON.stringify(run) } : { steps: jobSteps(facts, timeout) }
}

function jobInfo(facts: PayloadFacts): JobInfo {
  const { job, project, pipeline, user } = facts
  return {
    id: job.id,
    name: job.name,
    stage: job.stage,
    project_id: project.id,
    project_name: project.name,
    time_in_queue_seconds: Math.max(0, ((job.started_at ?? 0) - (job.queued_at ?? 0)) / 1000),
    project_jobs_running_on_instance_runners_count: String(facts.runningOnInstanceRunners ?? '+Inf'),
    project_full_path: project.full_path,
    namespace_id: project.namespace_id,
    ...(facts.rootNamespaceId !== undefined && { root_namespace_id: facts.rootNamespaceId }),
    user_id: user.id,
    pipeline_id: pipeline.id,
  }
}

/**
 * Dependencies are downloaded with the token of the running job, because their own tokens expired when they
 * ended.
 */
function dependencies({ dependencies, token }: PayloadFacts): JobDependency[] {
  return dependencies.map(({ id, name, archive }) => ({
    id,
    name,
    token,
    ...(archive && { artifacts_file: archive }),
  }))
}
