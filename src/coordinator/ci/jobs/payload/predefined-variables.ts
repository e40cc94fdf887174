import type { ContextVariable } from '../../../../ci-config/context-variable.js'
import type { PlannedEnvironment } from '../../../../ci-config/plan.js'
import { listOf, type VariableValues } from '../../../../ci-config/variables/list-of.js'
import { predefinedOfJob } from '../../../../ci-config/variables/predefined-of-job.js'
import { slug } from '../../../../ci-config/variables/slug.js'
import { isoSeconds } from '../../../../lib/iso-seconds.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { EventFacts } from '../../predefined-variables/event-facts.js'
import {
  eventVariables,
  eventVariablesForJobs,
  releaseVariables,
  userVariables,
} from '../../predefined-variables/event-variables.js'
import { idVariables } from '../../predefined-variables/stored-event.js'
import { cloneUrl } from './git-clone-settings.js'
import type { PayloadFacts } from './payload-facts.js'

/**
 * Predefined variables, the lowest precedence first: the job's identity and tokens, the job, the project and this server,
 * the pipeline and its commit, the runner (runner protocol, 10.1; CI language, 8.7).
 */
export function predefinedVariables(facts: PayloadFacts): JobVariable[] {
  const { job } = facts
  return [
    ...persistedVariables(facts),
    ...facts.idTokens,
    ...publicVariables([
      ...predefinedOfJob({ ...job, ...job.options, environment: environmentOf(facts) }),
      ...listOf({ CI_JOB_TIMEOUT: job.timeout ?? undefined, CI_SERVER: 'yes' }),
    ]),
    ...variablesOfEvent(facts.event),
    ...publicVariables(listOf({ ...pipelineValues(facts), ...runnerValues(facts) })),
  ]
}

const knownVariables = new WeakMap<EventFacts, readonly JobVariable[]>()

/** Made once for the jobs that share the event: they are most of the variables of a job. */
function variablesOfEvent(event: EventFacts): readonly JobVariable[] {
  const known = knownVariables.get(event)
  if (known) return known
  const variables = publicVariables([...eventVariables(event), ...eventVariablesForJobs(event)])
  knownVariables.set(event, variables)
  return variables
}

/** The tier is stored, because users may set it. */
function environmentOf({ job, environment }: PayloadFacts): PlannedEnvironment | undefined {
  const planned = job.options.environment
  return planned && environment ? { tier: environment.tier, ...planned } : planned
}

/** The user who created the pipeline, or played or retried the job. */
export function variablesOfUser({ user }: PayloadFacts): JobVariable[] {
  return publicVariables(userVariables(user))
}

/**
 * Variables for the release of the pipeline's tag; only those of the environment have a lower precedence (CI
 * language, 8.1).
 */
export function variablesOfRelease({ release }: PayloadFacts): JobVariable[] {
  return release ? publicVariables(releaseVariables(release)) : []
}

function persistedVariables(facts: PayloadFacts): JobVariable[] {
  const { job, token } = facts
  const startedAt = isoSeconds(job.started_at ?? job.created_at)
  return [
    ...publicVariables(idVariables(facts)),
    { key: 'CI_JOB_TOKEN', value: token, public: false, masked: true },
    ...publicVariables(listOf({ CI_JOB_STARTED_AT: startedAt, CI_JOB_STARTED_AT_SLUG: slug(startedAt) })),
    { key: 'CI_REPOSITORY_URL', value: cloneUrl(facts), public: false, masked: false },
  ]
}

function pipelineValues({ pipeline }: PayloadFacts): VariableValues {
  return {
    CI_PIPELINE_IID: pipeline.iid,
    CI_PIPELINE_NAME: pipeline.name ?? undefined,
    CI_PIPELINE_CREATED_AT: isoSeconds(pipeline.created_at),
  }
}

function runnerValues({ runner }: PayloadFacts): VariableValues {
  return {
    CI_RUNNER_ID: runner.id,
    CI_RUNNER_DESCRIPTION: runner.description ?? '',
    CI_RUNNER_TAGS: JSON.stringify(runner.tag_list),
  }
}

function publicVariables(variables: ContextVariable[]): JobVariable[] {
  return variables.map(({ key, value, file, raw }) => ({
    key,
    value,
    public: true,
    masked: false,
    ...(file && { file }),
    ...(raw && { raw }),
  }))
}
