import { messageOf } from '../../lib/errors.js'
import type { JobStep } from '../../protocol/job-payload.js'
import type { JobContext } from './job-context.js'
import { JobStopError } from './job-stop.js'
import { failedScript, type JobOutcome, SUCCESS } from './outcome.js'
import { scriptText } from './script.js'
import { booleanSetting, durationSetting } from './settings-of-job.js'
import { inStage, type JobStage, STAGES, stepStage } from './stages.js'

type Needs = Pick<
  JobContext,
  'payload' | 'entry' | 'workspace' | 'variables' | 'environment' | 'log' | 'control' | 'timeoutSeconds'
>

const AFTER_SCRIPT = 'after_script'
const AFTER_SCRIPT_SECONDS = 5 * 60

/** Runs the steps in their order until one fails. */
export async function runSteps(job: Needs): Promise<JobOutcome> {
  const warn = (text: string) => job.log.warning(text)
  const seconds = durationSetting(job.variables.values, 'RUNNER_SCRIPT_TIMEOUT', job.timeoutSeconds, warn)
  const endLimit = seconds === undefined ? () => {} : job.control.limit(seconds, 'script-timeout')
  try {
    for (const step of job.payload.steps.filter(({ name }) => name !== AFTER_SCRIPT)) {
      const exitCode = await runStep(job, step)
      if (exitCode !== 0) return failedScript(exitCode)
    }
    return SUCCESS
  } finally {
    endLimit()
  }
}

async function runStep(job: Needs, step: JobStep): Promise<number> {
  const commands = withSurroundings(job, step)
  if (commands.length === 0) return 0
  const stage = stepStage(step.name)
  job.control.work.throwIfAborted()
  return inStage(job.log, stage, () => runScript(job, stage, { commands }, job.control.work))
}

/** `pre_build_script` and `post_build_script` stand around the script and nothing else (runner protocol, 7.3). */
function withSurroundings(job: Needs, step: JobStep): string[] {
  if (step.name !== 'script') return step.script
  const { preBuildScript, postBuildScript } = job.entry
  return [preBuildScript, ...step.script, postBuildScript].filter((command) => command !== undefined)
}

/**
 * Runs the after-script in a shell of its own, told how the script ended. Its failure is a warning, unless
 * `AFTER_SCRIPT_IGNORE_ERRORS` is false; then it is what the answer says.
 */
export async function runAfterScript(job: Needs, scripts: JobOutcome): Promise<JobOutcome> {
  const step = job.payload.steps.find(({ name }) => name === AFTER_SCRIPT)
  if (!step || step.script.length === 0) return SUCCESS
  const warn = (text: string) => job.log.warning(text)
  const limit =
    durationSetting(job.variables.values, 'RUNNER_AFTER_SCRIPT_TIMEOUT', job.timeoutSeconds, warn) ??
    AFTER_SCRIPT_SECONDS
  const result = await inStage(job.log, STAGES.afterScript, () => runAfter(job, step, scripts, limit))
  if (result.kind === 'success') return result
  if (!booleanSetting(job.variables.values, 'AFTER_SCRIPT_IGNORE_ERRORS', true, warn)) return result
  warn(`after_script failed, but job will continue unaffected: ${describe(result)}`)
  return SUCCESS
}

async function runAfter(job: Needs, step: JobStep, scripts: JobOutcome, limit: number): Promise<JobOutcome> {
  const tooLong = new AbortController()
  const stop = new JobStopError({ kind: 'script-timeout', seconds: limit })
  const timer = setTimeout(() => tooLong.abort(stop), limit * 1000)
  try {
    const script = { commands: step.script, status: statusFor(scripts), notice: 'Running after script...' }
    const signal = AbortSignal.any([job.control.whole, tooLong.signal])
    const exitCode = await runScript(job, STAGES.afterScript, script, signal)
    return exitCode === 0 ? SUCCESS : failedScript(exitCode)
  } catch (error) {
    if (error !== stop) throw error
    return { kind: 'stopped', stop: stop.stop }
  } finally {
    clearTimeout(timer)
  }
}

/** One script in a shell of its own; answers its exit code. */
export async function runScript(
  job: Needs,
  stage: JobStage,
  script: { commands: string[]; status?: string; notice?: string },
  signal: AbortSignal,
): Promise<number> {
  const { workspace, variables, entry, log } = job
  const status = script.status === undefined ? [] : [{ key: 'CI_JOB_STATUS', value: script.status }]
  const text = scriptText({
    variables: [...variables.list, ...status],
    commands: script.commands,
    projectDir: workspace.projectDir,
    environmentFile: `${workspace.temporaryDir}/gitlab_runner_env`,
    trace: !entry.debugTraceDisabled && booleanSetting(variables.values, 'CI_DEBUG_TRACE', false, () => {}),
    ...(script.notice === undefined ? {} : { notice: script.notice }),
  })
  const scriptPath = await workspace.writeTemporaryFile(`.script-${stage.name}.sh`, text)
  const { exitCode } = await job.environment.run({ name: stage.name, scriptPath }, log, signal)
  return exitCode
}

/** `CI_JOB_STATUS` of the after-script (runner protocol, 7.3). */
function statusFor(scripts: JobOutcome): string {
  if (scripts.kind === 'success') return 'success'
  if (scripts.kind !== 'stopped') return 'failed'
  return scripts.stop.kind === 'canceled' ? 'canceled' : 'timedout'
}

function describe(outcome: JobOutcome): string {
  switch (outcome.kind) {
    case 'success':
      return ''
    case 'failed':
      return outcome.message
    case 'stopped':
      return new JobStopError(outcome.stop).message
    case 'system-failure':
      return messageOf(outcome.error)
  }
}
