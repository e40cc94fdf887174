import type { PipelineContext } from '../../../../ci-config/plan.js'
import { isMergeRequestRef } from '../../../../git/names.js'
import { planLimit } from '../../../database/stores/plan-limit-store.js'
import type { EventFacts } from '../../predefined-variables/event-facts.js'
import {
  eventVariables,
  eventVariablesForJobs,
  userVariables,
} from '../../predefined-variables/event-variables.js'
import { releaseOfTag } from '../../predefined-variables/release-of-tag.js'
import { settingsVariables } from '../../predefined-variables/settings-variables.js'
import type { EngineDeps, EngineRepositories } from '../engine-deps.js'
import { factsOfMergeRequests } from '../merge-requests/merge-request-facts.js'
import type { PipelineRequest } from './pipeline-request.js'

interface ContextDeps extends Pick<EngineDeps, 'database' | 'secrets' | 'server'> {
  repositories: Pick<EngineRepositories, 'readCommit' | 'tagMessage'>
}

/**
 * The context for the compilation of the CI file, with the variables that are known before there are jobs (CI
 * language, 8.6).
 */
export async function pipelineContext(
  deps: ContextDeps,
  request: PipelineRequest,
  isProtected: boolean,
): Promise<PipelineContext> {
  const { project, user, ref, refType, source, variables = [] } = request
  const facts = await eventFacts(deps, request, isProtected)
  return {
    ref,
    refType,
    source,
    ...(isMergeRequestRef(ref) && { isForMergeRequest: true }),
    projectPath: project.full_path,
    needsLimit: await planLimit(deps.database, 'ci_needs_size_limit'),
    ...(request.inputs && { inputs: request.inputs }),
    variables: {
      predefined: eventVariables(facts),
      predefinedForJobs: eventVariablesForJobs(facts),
      user: userVariables(user),
      settings: await settingsVariables(deps, project, isProtected),
      pipeline: variables.map(({ key, value, variable_type, raw = false }) => ({
        key,
        value,
        file: variable_type === 'file',
        raw,
      })),
    },
  }
}

async function eventFacts(
  { server, repositories, database }: ContextDeps,
  request: PipelineRequest,
  isProtected: boolean,
): Promise<EventFacts> {
  const { mergeRequest, ...others } = request
  const { project, user, ref, refType, sha } = others
  const event = { projectId: project.id, ref, refType, sha, mergeRequest }
  return {
    ...others,
    ...(await factsOfMergeRequests(database, event, user)),
    server,
    isProtected,
    creator: user,
    scheduleDescription: request.schedule?.description,
    commit: await repositories.readCommit(project.id, sha),
    tagMessage: refType === 'tag' ? await repositories.tagMessage(project.id, ref) : undefined,
    release: refType === 'tag' ? await releaseOfTag(database, project.id, ref) : undefined,
  }
}
