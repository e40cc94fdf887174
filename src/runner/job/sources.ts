import { messageOf } from '../../lib/errors.js'
import { retry } from '../../lib/retry.js'
import type { GitInfo } from '../../protocol/job-payload.js'
import { USER_AGENT } from '../runner-info.js'
import type { SourceRequest } from '../workspace/workspace.js'
import { runHook } from './hooks.js'
import type { JobContext } from './job-context.js'
import { JobStopError } from './job-stop.js'
import { attemptsSetting } from './settings-of-job.js'
import { sourceSettings } from './source-settings.js'
import { inStage, STAGES } from './stages.js'
import { strategyOf } from './workspace-request.js'

type Needs = Pick<
  JobContext,
  | 'payload'
  | 'entry'
  | 'workspace'
  | 'variables'
  | 'environment'
  | 'log'
  | 'control'
  | 'timings'
  | 'timeoutSeconds'
>

const MAX_RETRY_DELAY = 5 * 60_000

/**
 * Brings the work tree to the job's commit, as often as `GET_SOURCES_ATTEMPTS` allows, each time in a section of its
 * own; the second time in an empty directory (runner protocol, 7.1).
 */
export async function getSources(job: Needs): Promise<void> {
  const { log, control, entry } = job
  const seconds = entry.getSourcesTimeoutSeconds
  const endLimit = seconds === undefined ? () => {} : control.limit(seconds, 'script-timeout')
  try {
    await retry((attempt) => attemptSources(job, attempt), {
      attempts: attemptsSetting(job.variables.values, 'GET_SOURCES_ATTEMPTS', (text) => log.warning(text)),
      delay: job.timings.stageRetry,
      maximumDelay: MAX_RETRY_DELAY,
      signal: control.work,
      isWorthRetrying: (error) => {
        if (error instanceof JobStopError) return false
        log.error(messageOf(error))
        return true
      },
    })
  } finally {
    endLimit()
  }
}

async function attemptSources(job: Needs, attempt: number): Promise<void> {
  const { log, workspace, control } = job
  control.work.throwIfAborted()
  if (attempt > 1) log.warning('Retrying...')
  if (attempt === 2) await inStage(log, STAGES.clearWorkTree, () => workspace.clear())
  await inStage(log, STAGES.getSources, async () => {
    const source = sourceRequest(job, attempt === 1 ? (text) => log.warning(text) : () => {})
    const isGitUsed = source.strategy === 'clone' || source.strategy === 'fetch'
    if (isGitUsed) await runHook(job, 'pre_get_sources_script')
    await workspace.prepareSources(source, log, control.work)
    if (isGitUsed) await runHook(job, 'post_get_sources_script')
  })
}

function sourceRequest(job: Needs, warn: (text: string) => void): SourceRequest {
  const { payload, entry, variables } = job
  const { git_info: git } = payload
  return {
    git: withCloneUrl(git, entry.cloneUrl, variables.get('CI_PROJECT_PATH'), payload.token),
    strategy: strategyOf(payload, variables.values, warn),
    userAgent: USER_AGENT,
    settings: sourceSettings(variables.values, git.depth ?? 0, warn),
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
