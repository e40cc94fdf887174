import type { ContextVariable } from '../../../../ci-config/context-variable.js'
import { isInScope } from '../../../../ci-config/variables/environment-scope.js'
import { listOf } from '../../../../ci-config/variables/list-of.js'
import { predefinedOfJob } from '../../../../ci-config/variables/predefined-of-job.js'
import { VariableCollection } from '../../../../ci-config/variables/variable-collection.js'
import type { Database } from '../../../database/connect.js'
import type { EventFacts } from '../../predefined-variables/event-facts.js'
import {
  eventVariables,
  eventVariablesForJobs,
  userVariables,
} from '../../predefined-variables/event-variables.js'
import { settingsVariables } from '../../predefined-variables/settings-variables.js'
import { eventOf, idVariables } from '../../predefined-variables/stored-event.js'
import {
  dotenvVariables,
  pipelineVariables,
  playedVariables,
} from '../../predefined-variables/stored-variables.js'
import type { EngineDeps, EngineRepositories } from '../engine-deps.js'
import { findUpstream } from '../hierarchy/downstream-store.js'
import { factsOfStoredPipeline } from '../merge-requests/merge-request-facts.js'
import { dependenciesInPipeline } from './job-dependencies.js'
import type { StoredJob } from './stored-job.js'

export interface JobVariablesDeps extends Pick<EngineDeps, 'secrets' | 'server'> {
  database: Database
  repositories: Pick<EngineRepositories, 'readCommit' | 'tagMessage'>
}

/** The variables of a job by source, as far as they are known without a runner. */
export interface VariablesOfJob {
  /** Everything, as the keywords of the job see it. */
  seen: VariableCollection
  /** Set for the pipeline, and for this job when it was played. */
  given: ContextVariable[]
}

/**
 * The variables that the keywords of a stored job may reference (CI language, 8.1 and 8.4). With
 * `forOtherProject`, excludes variables for protected refs (CI language, 13.3).
 */
export async function variablesOfStoredJob(
  deps: JobVariablesDeps,
  { job, pipeline, project, user }: StoredJob,
  { forOtherProject }: { forOtherProject: boolean },
): Promise<VariablesOfJob> {
  const { database, server } = deps
  const facts = await eventFacts(deps, { job, pipeline, project, user })
  const settings = await settingsVariables(deps, project, job.protected && !forOtherProject)
  const played = (await playedVariables(deps, [job.id])).get(job.id) ?? []
  const given = [...(await pipelineVariables(deps, pipeline.id)), ...played]
  const dependencies = await dependenciesInPipeline(database, job)
  const seen = VariableCollection.of(
    idVariables({ server, project, pipeline, job }),
    predefinedOfJob({ ...job, ...job.options }),
    eventVariables(facts),
    eventVariablesForJobs(facts),
    listOf({ CI_PIPELINE_IID: pipeline.iid, CI_PIPELINE_NAME: pipeline.name ?? undefined }),
    job.yaml_variables,
    userVariables(user),
    await dotenvVariables(deps, dependencies),
    settings
      .filter(({ environmentScope = '*' }) => isInScope(environmentScope, job.options.environment?.name))
      .map(nameOfFile),
    given.map(nameOfFile),
  )
  return { seen, given }
}

/**
 * A reference to a file variable is not expanded, because its content is not for other values (CI language,
 * 8.3).
 */
function nameOfFile(variable: ContextVariable): ContextVariable {
  return variable.file ? { ...variable, value: `$${variable.key}`, raw: true } : variable
}

async function eventFacts(
  { database, server, repositories }: JobVariablesDeps,
  { pipeline, project }: StoredJob,
): Promise<EventFacts> {
  const creator = await database
    .selectFrom('user')
    .select(['id', 'username', 'is_admin', 'external'])
    .where('id', '=', pipeline.user_id)
    .executeTakeFirstOrThrow()
  return {
    server,
    project,
    creator,
    ...eventOf(pipeline),
    ...(await factsOfStoredPipeline(database, pipeline, creator)),
    commit: await repositories.readCommit(project.id, pipeline.sha),
    tagMessage: pipeline.tag ? await repositories.tagMessage(project.id, pipeline.ref) : undefined,
    upstream: await findUpstream(database, pipeline),
  }
}
