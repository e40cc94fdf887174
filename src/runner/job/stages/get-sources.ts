import { messageOf } from '../../../lib/errors.js'
import { retry } from '../../../lib/retry.js'
import { MINUTE } from '../../../lib/time-units.js'
import { USER_AGENT } from '../../client/runner-info.js'
import { ExecutorError } from '../../executor/executor.js'
import { attemptsSetting, booleanSetting } from '../../variables/job-variables.js'
import {
  checkCleanFlags,
  type CheckedFlags,
  checkFetchFlags,
  checkSubmoduleFlags,
  DEFAULT_SOURCE_SETTINGS,
  type SourceSettings,
  type SubmoduleSettings,
  words,
} from '../../workspace/git-flags.js'
import { type SourceRequest, SourcesError } from '../../workspace/workspace.js'
import type { JobContext } from '../job-context.js'
import { JobStopError } from '../job-control.js'
import { type JobOutcome, outcomeOf, SUCCESS } from '../outcome.js'
import { cloneUrlOf, strategyOf } from '../prepare-executor.js'
import { runScript, type ScriptNeeds } from './run-scripts.js'
import { inStage, STAGES } from './stage.js'

type Needs = ScriptNeeds & Pick<JobContext, 'timings'>

const MAX_RETRY_DELAY = 5 * MINUTE

/**
 * Checks out the job's commit, with up to `GET_SOURCES_ATTEMPTS` attempts. Each attempt has its own section in the
 * log. The second attempt starts with an empty directory (runner protocol, 7.1).
 */
export async function getSources(job: Needs): Promise<void> {
  const { log, control, registration } = job
  const seconds = registration.getSourcesTimeoutSeconds
  const endLimit = seconds === undefined ? () => {} : control.limit(seconds, 'script-timeout')
  const attempts = attemptsSetting(job.variables.values, 'GET_SOURCES_ATTEMPTS', (text) => log.warning(text))
  const over = attemptsOver(job)
  try {
    await retry((attempt) => attemptSources(job, over + attempt), {
      attempts: attempts - over,
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

/** Number of attempts that an earlier process completed and recorded, before the one that was interrupted. */
function attemptsOver(job: Needs): number {
  let attempt = 1
  while (isUnderWay(job, attempt + 1)) attempt++
  return attempt - 1
}

function isUnderWay(job: Needs, attempt: number): boolean {
  const names = [nameOf(attempt), ...listParts(job, attempt).map(({ name }) => name)]
  return names.some((name) => job.steps.isDone(name) || job.steps.isBegun(name))
}

function nameOf(attempt: number): string {
  return `get_sources_${attempt}`
}

/** Makes one attempt. An attempt that failed in an earlier process keeps its recorded outcome. */
async function attemptSources(job: Needs, attempt: number): Promise<void> {
  const { control, steps } = job
  control.work.throwIfAborted()
  const failed = steps.outcomeOf(nameOf(attempt))
  if (failed) throw errorOf(failed)
  const parts = listParts(job, attempt)
  try {
    await performParts(job, attempt, parts)
  } catch (error) {
    // An attempt without hooks is not recorded, because it can safely be repeated.
    if (parts.length > 1 && !(error instanceof JobStopError)) {
      await steps.completePart(nameOf(attempt), outcomeOf(error))
    }
    throw error
  }
}

/**
 * A part of an attempt: a hook or the fetch. If there are several parts, each is completed once, even if the runner
 * is killed.
 */
interface Part {
  name: string
  work: () => Promise<void>
}

function listParts(job: Needs, attempt: number): Part[] {
  const { payload, variables, workspace, log, control } = job
  const strategy = strategyOf(payload, variables.values, () => {})
  const hook = (name: HookName): Part[] => {
    if (strategy !== 'clone' && strategy !== 'fetch') return []
    if (hookCommands(job, name).length === 0) return []
    const key = `${name}_${attempt}`
    return [{ name: key, work: () => runHook(job, name, key) }]
  }
  const prepare = () => {
    const source = sourceRequest(job, attempt === 1 ? (text) => log.warning(text) : () => {})
    return workspace.prepareSources(source, log, control.work)
  }
  const fetch: Part = { name: `prepare_sources_${attempt}`, work: prepare }
  return [...hook('pre_get_sources_script'), fetch, ...hook('post_get_sources_script')]
}

async function performParts(job: Needs, attempt: number, parts: Part[]): Promise<void> {
  const { log, workspace, steps, control } = job
  const perform = async () => {
    for (const { name, work } of parts) {
      if (steps.isDone(name)) continue
      await work()
      if (parts.length > 1) await steps.completePart(name, SUCCESS)
    }
  }
  if (isUnderWay(job, attempt)) {
    await log.restOfSection(STAGES.getSources.name, perform)
    return
  }
  if (attempt > 1) log.warning('Retrying...')
  if (attempt === 2) await inStage(log, STAGES.clearWorkTree, () => workspace.clear(control.work))
  await inStage(log, STAGES.getSources, perform)
}

function errorOf(outcome: JobOutcome): unknown {
  switch (outcome.kind) {
    case 'failed':
      return outcome.reason === 'script_failure'
        ? new SourcesError(outcome.message, outcome.exitCode)
        : new ExecutorError(outcome.message, outcome.reason)
    case 'system-failure':
      return outcome.error
    default:
      return new Error(`An attempt to get the sources cannot end as ${outcome.kind}`)
  }
}

function sourceRequest(job: Needs, warn: (text: string) => void): SourceRequest {
  const { payload, registration, variables } = job
  const { git_info: git } = payload
  return {
    git: { ...git, repo_url: cloneUrlOf(payload, registration.cloneUrl, variables.get('CI_PROJECT_PATH')) },
    repository: registration.repository,
    strategy: strategyOf(payload, variables.values, warn),
    userAgent: USER_AGENT,
    settings: {
      ...sourceSettings(variables.values, git.depth ?? 0, warn),
      allowedLocalHosts: registration.allowedLocalHosts,
    },
  }
}

type HookName = 'pre_get_sources_script' | 'post_get_sources_script'

/**
 * Runs the hooks before or after the fetch in the container of the job. Settings that they make do not affect git
 * on the host. `key` identifies this run for a later process that resumes it. Throws `SourcesError` if a hook
 * fails.
 */
async function runHook(job: ScriptNeeds, name: HookName, key: string): Promise<void> {
  const stage = { name: key, title: name }
  const exitCode = await runScript(job, stage, { commands: hookCommands(job, name) }, job.control.work)
  if (exitCode !== 0) throw new SourcesError(`${name} failed: exit code ${exitCode}`, exitCode)
}

/** The commands of a hook. The runner's script encloses that of the job (runner protocol, 7.9). */
function hookCommands(
  { payload, registration }: Pick<ScriptNeeds, 'payload' | 'registration'>,
  name: HookName,
): string[] {
  const ofJob = (payload.hooks ?? []).filter((hook) => hook.name === name).flatMap(({ script }) => script)
  const { preGetSourcesScript: before, postGetSourcesScript: after } = registration
  if (name === 'pre_get_sources_script') return before === undefined ? ofJob : [before, ...ofJob]
  return after === undefined ? ofJob : [...ofJob, after]
}

type Values = ReadonlyMap<string, string>
type Warn = (text: string) => void

/**
 * The settings for the sources in the variables of a job (runner protocol, 7.9). Git flags that would let a job run
 * a program on the host are removed with a warning. `depth` is the default depth of the job's own repository.
 */
export function sourceSettings(
  values: Values,
  depth: number,
  warn: Warn,
): Omit<SourceSettings, 'allowedLocalHosts'> {
  return {
    checkout: booleanSetting(values, 'GIT_CHECKOUT', true, warn),
    cleanFlags: flagsSetting(values, 'GIT_CLEAN_FLAGS', checkCleanFlags, warn, {
      otherwise: DEFAULT_SOURCE_SETTINGS.cleanFlags,
      none: undefined,
    }),
    fetchFlags: flagsSetting(values, 'GIT_FETCH_EXTRA_FLAGS', checkFetchFlags, warn, {
      otherwise: DEFAULT_SOURCE_SETTINGS.fetchFlags,
      none: [],
    }),
    submodules: submoduleSettings(values, depth, warn),
    isLfsWanted: !booleanSetting(values, 'GIT_LFS_SKIP_SMUDGE', false, warn),
    serverUrls: [values.get('CI_SERVER_URL') ?? ''].filter((url) => url !== ''),
  }
}

function submoduleSettings(values: Values, depth: number, warn: Warn): SubmoduleSettings | undefined {
  const strategy = values.get('GIT_SUBMODULE_STRATEGY') ?? ''
  if (strategy === '' || strategy === 'none') return undefined
  if (strategy !== 'normal' && strategy !== 'recursive') {
    throw new SourcesError(
      `GIT_SUBMODULE_STRATEGY: "${strategy}" is not one of none, normal, recursive`,
      undefined,
    )
  }
  const { flags, refused } = checkSubmoduleFlags(values.get('GIT_SUBMODULE_UPDATE_FLAGS') ?? '')
  warnOfRefused('GIT_SUBMODULE_UPDATE_FLAGS', refused, warn)
  return {
    isRecursive: strategy === 'recursive' || flags.includes('--recursive'),
    depth: depthFlag(flags) ?? depthSetting(values, depth, warn),
    paths: pathsSetting(values),
    isRemote: flags.includes('--remote'),
    forceHttps: booleanSetting(values, 'GIT_SUBMODULE_FORCE_HTTPS', false, warn),
  }
}

function flagsSetting<T>(
  values: Values,
  name: string,
  check: (text: string) => CheckedFlags,
  warn: Warn,
  { otherwise, none }: { otherwise: string[] | T; none: T },
): string[] | T {
  const text = values.get(name) ?? ''
  if (text.trim() === '') return otherwise
  if (text.trim() === 'none') return none
  const { flags, refused } = check(text)
  warnOfRefused(name, refused, warn)
  return flags
}

function warnOfRefused(name: string, refused: string[], warn: Warn): void {
  for (const flag of refused) warn(`${name}: "${flag}" is not allowed on this runner and has no effect`)
}

function depthFlag(flags: string[]): number | undefined {
  const at = flags.findIndex((flag) => flag === '--depth' || flag.startsWith('--depth='))
  if (at < 0) return undefined
  const depth = Number(flags[at]?.split('=')[1] ?? flags[at + 1])
  return Number.isInteger(depth) && depth > 0 ? depth : undefined
}

function depthSetting(values: Values, otherwise: number, warn: Warn): number {
  const text = values.get('GIT_SUBMODULE_DEPTH') ?? ''
  if (text === '') return otherwise
  if (/^\d+$/.test(text)) return Number(text)
  warn(`GIT_SUBMODULE_DEPTH: "${text}" is not a number, using ${otherwise}`)
  return otherwise
}

function pathsSetting(values: Values): string[] {
  const paths = words(values.get('GIT_SUBMODULE_PATHS') ?? '')
  if (!paths.includes(':(exclude)')) return paths
  throw new SourcesError(
    'GIT_SUBMODULE_PATHS: ":(exclude)" must be followed by a path without spaces',
    undefined,
  )
}
