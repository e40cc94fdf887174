import type { PipelineContext } from '../../ci-config/plan.js'
import type { ContextVariable } from '../../ci-config/variables/context-variable.js'
import type { PipelineRequest } from './pipeline-request.js'

/** What the CI file is compiled for; its variables are those that are known before there are jobs (CI language, 8.6). */
export function pipelineContext(
  request: PipelineRequest,
  isProtected: boolean,
  settings: ContextVariable[],
): PipelineContext {
  const { project, ref, refType, source, variables = [] } = request
  return {
    ref,
    refType,
    source,
    projectPath: project.full_path,
    variables: {
      predefined: listOf(predefined(request, isProtected)),
      user: listOf(ofUser(request)),
      settings,
      pipeline: variables.map(({ key, value, variable_type }) => ({
        key,
        value,
        file: variable_type === 'file',
      })),
    },
  }
}

function listOf(values: Record<string, string>): ContextVariable[] {
  return Object.entries(values).map(([key, value]) => ({ key, value }))
}

function ofUser({ user }: PipelineRequest): Record<string, string> {
  return {
    GITLAB_USER_ID: String(user.id),
    GITLAB_USER_EMAIL: user.email,
    GITLAB_USER_LOGIN: user.username,
    GITLAB_USER_NAME: user.name,
  }
}

function predefined(request: PipelineRequest, isProtected: boolean): Record<string, string> {
  const { project, ref, refType, sha, beforeSha, source } = request
  return {
    CI: 'true',
    GITLAB_CI: 'true',
    CI_PIPELINE_SOURCE: source,
    CI_COMMIT_SHA: sha,
    CI_COMMIT_SHORT_SHA: sha.slice(0, 8),
    CI_COMMIT_BEFORE_SHA: beforeSha,
    CI_COMMIT_REF_NAME: ref,
    CI_COMMIT_REF_PROTECTED: String(isProtected),
    ...(refType === 'branch' ? { CI_COMMIT_BRANCH: ref } : { CI_COMMIT_TAG: ref }),
    ...(project.default_branch === null ? {} : { CI_DEFAULT_BRANCH: project.default_branch }),
    CI_PROJECT_ID: String(project.id),
    CI_PROJECT_NAME: project.path,
    CI_PROJECT_PATH: project.full_path,
    CI_PROJECT_VISIBILITY: project.visibility,
  }
}
