import { messageOf } from '../../lib/errors.js'
import { retry } from '../../lib/retry.js'
import type { GitInfo, JobPayload } from '../../protocol/job-payload.js'
import { USER_AGENT } from '../runner-info.js'
import type { SourceRequest, WorkspaceRequest } from '../workspace/workspace.js'
import { isProtectedJob } from './is-protected-job.js'
import type { JobContext } from './job-context.js'
import { JobStopError } from './job-stop.js'
import { attemptsSetting, choiceSetting } from './settings-of-job.js'
import { inStage, STAGES } from './stages.js'

type Needs = Pick<JobContext, 'payload' | 'entry' | 'workspace' | 'variables' | 'log' | 'control' | 'timings'>

const MAX_RETRY_DELAY = 5 * 60_000

/** Settings of runner protocol, 7.9, each with the value that asks for what is done anyway. */
const SETTINGS_WITHOUT_EFFECT = {
  GIT_CHECKOUT: 'true',
  GIT_CLEAN_FLAGS: '-ffdx',
  GIT_CLONE_PATH: '',
  GIT_FETCH_EXTRA_FLAGS: '--prune --quiet',
  GIT_SUBMODULE_STRATEGY: 'none',
}

/** Brings the work tree to the job's commit, as often as `GET_SOURCES_ATTEMPTS` allows. */
export async function getSources(job: Needs): Promise<void> {
  const { log, control } = job
  await inStage(log, STAGES.getSources, async () => {
    const warn = (text: string) => log.warning(text)
    const source = sourceRequest(job, warn)
    warnOfUnknownSettings(job.variables.values, warn)
    await retry(
      (attempt) => {
        if (attempt > 1) log.warning('Retrying...')
        return job.workspace.prepareSources(source, log, control.work)
      },
      {
        attempts: attemptsSetting(job.variables.values, 'GET_SOURCES_ATTEMPTS', warn),
        delay: job.timings.stageRetry,
        maximumDelay: MAX_RETRY_DELAY,
        signal: control.work,
        isWorthRetrying: (error) => {
          if (error instanceof JobStopError) return false
          log.error(messageOf(error))
          return true
        },
      },
    )
  })
}

/** Which workspace a job belongs to. */
export function workspaceRequest(payload: JobPayload, concurrentProjectId: number): WorkspaceRequest {
  const { project_id } = payload.job_info
  return {
    projectId: project_id,
    projectPath: projectPath(payload.git_info.repo_url) ?? `project-${project_id}`,
    concurrentProjectId,
    isProtected: isProtectedJob(payload),
  }
}

function sourceRequest(job: Needs, warn: (text: string) => void): SourceRequest {
  const { payload, entry, variables } = job
  const otherwise = payload.allow_git_fetch ? 'fetch' : 'clone'
  return {
    git: withCloneUrl(payload.git_info, entry.cloneUrl, variables.get('CI_PROJECT_PATH'), payload.token),
    strategy: choiceSetting(
      variables.values,
      'GIT_STRATEGY',
      ['clone', 'fetch', 'none', 'empty'] as const,
      otherwise,
      warn,
    ),
    userAgent: USER_AGENT,
  }
}

/** A setting that is ignored in silence would be looked for in the wrong place. */
function warnOfUnknownSettings(values: ReadonlyMap<string, string>, warn: (text: string) => void): void {
  for (const [name, meansNothing] of Object.entries(SETTINGS_WITHOUT_EFFECT)) {
    const value = values.get(name)
    if (value !== undefined && value !== '' && value !== meansNothing) {
      warn(`This runner does not know ${name} yet: "${value}" has no effect`)
    }
  }
}

/** The runner may reach the repositories at another address than the coordinator says (runner protocol, 7.9). */
function withCloneUrl(
  git: GitInfo,
  cloneUrl: string | undefined,
  path: string | undefined,
  token: string,
): GitInfo {
  if (cloneUrl === undefined || path === undefined) return git
  const url = new URL(`${cloneUrl.replace(/\/+$/, '')}/${path}.git`)
  url.username = 'gitlab-ci-token'
  url.password = token
  return { ...git, repo_url: url.href }
}

/** `group/project` of a clone address. */
function projectPath(repositoryUrl: string): string | undefined {
  if (!URL.canParse(repositoryUrl)) return undefined
  const path = new URL(repositoryUrl).pathname.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')
  return path === '' ? undefined : path
}
