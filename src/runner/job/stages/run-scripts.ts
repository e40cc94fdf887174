import { Type } from 'typebox'
import { Check } from 'typebox/value'

import { messageOf } from '../../../lib/errors.js'
import type { JobStep } from '../../../protocol/job-payload.js'
import { NativeStep } from '../../../protocol/native-steps.js'
import { booleanSetting, durationSetting } from '../../variables/job-variables.js'
import { MARKS_DIRECTORY } from '../../workspace/layout.js'
import type { JobContext } from '../job-context.js'
import { JobStopError } from '../job-control.js'
import { catchOutcome, failedScript, type JobOutcome, SUCCESS } from '../outcome.js'
import { createRelease } from './create-release.js'
import { markPrefix } from './line-marks.js'
import { recordSteps } from './record-steps.js'
import { scriptText } from './script-text.js'
import { inStage, type JobStage, STAGES, stepStage } from './stage.js'
import { SAVE_SCRIPT, SAVE_SCRIPT_FILE } from './switchyard-step/saved-environment.js'
import type { JobScript } from './switchyard-step/step-files.js'

/** What is needed to run a script of the job. */
export type ScriptNeeds = Pick<
  JobContext,
  | 'payload'
  | 'client'
  | 'job'
  | 'registration'
  | 'workspace'
  | 'variables'
  | 'environment'
  | 'log'
  | 'control'
  | 'timeoutSeconds'
  | 'steps'
  | 'mayBeHeld'
>

/** Name of the file in the temporary directory from which the container reads the script of each stage. */
export const STAGE_SCRIPT = 'stage-script'

const AFTER_SCRIPT = 'after_script'
const AFTER_SCRIPT_SECONDS = 5 * 60

/** Runs the steps in order until one fails. */
export async function runSteps(job: ScriptNeeds): Promise<JobOutcome> {
  const warn = (text: string) => job.log.warning(text)
  const seconds = durationSetting(job.variables.values, 'RUNNER_SCRIPT_TIMEOUT', job.timeoutSeconds, warn)
  const endLimit = seconds === undefined ? () => {} : job.control.limit(seconds, 'script-timeout')
  try {
    const { run } = job.payload
    return await (run ? runNativeSteps(job, run) : runScripts(job))
  } finally {
    endLimit()
  }
}

async function runScripts(job: ScriptNeeds): Promise<JobOutcome> {
  for (const step of stepsOf(job).filter(({ name }) => name !== AFTER_SCRIPT)) {
    const outcome = await job.steps.once(`step_${step.name}`, () => catchOutcome(() => runStep(job, step)))
    if (outcome.kind !== 'success') return outcome
  }
  return SUCCESS
}

/** Runs each native step in its own shell (CI language, 3.2, `run`). */
async function runNativeSteps(job: ScriptNeeds, run: string): Promise<JobOutcome> {
  const steps = readNativeSteps(run)
  if (!Array.isArray(steps)) return steps
  for (const step of steps) {
    const stage = stepStage(`run_${step.key}`)
    const variables = Object.entries(step.env).map(([key, value]) => ({ key, value }))
    const script = { commands: [step.script], variables }
    const outcome = await job.steps.once(stage.name, () =>
      catchOutcome(async () => outcomeOfScript(await runStage(job, stage, script, job.control.work))),
    )
    if (outcome.kind !== 'success') return outcome
  }
  return SUCCESS
}

/** The scripts of a job by the sections of its log, in the order in which they run. */
export function scriptsOf(job: Pick<ScriptNeeds, 'payload' | 'registration'>): JobScript[] {
  const { run } = job.payload
  const steps = run ? readNativeSteps(run) : undefined
  if (Array.isArray(steps)) {
    return steps.map(({ key, script }) => ({
      section: stepStage(`run_${key}`).name,
      title: key,
      commands: [script],
    }))
  }
  return stepsOf(job)
    .filter(({ release }) => !release)
    .map((step) => ({
      section: (step.name === AFTER_SCRIPT ? STAGES.afterScript : stepStage(step.name)).name,
      title: step.name,
      commands: withSurroundings(job, step),
    }))
}

function stepsOf({ payload }: Pick<ScriptNeeds, 'payload'>): JobStep[] {
  return payload.steps ?? []
}

async function runStep(job: ScriptNeeds, step: JobStep): Promise<JobOutcome> {
  const { release } = step
  if (release) return await inStage(job.log, stepStage(step.name), () => createRelease(job, release))
  const commands = withSurroundings(job, step)
  if (commands.length === 0) return SUCCESS
  return outcomeOfScript(await runStage(job, stepStage(step.name), { commands }, job.control.work))
}

/**
 * `pre_build_script` and `post_build_script` enclose the script only, not the after-script (runner protocol, 7.3).
 */
function withSurroundings(job: Pick<ScriptNeeds, 'registration'>, step: JobStep): string[] {
  if (step.name !== 'script') return step.script
  const { preBuildScript, postBuildScript } = job.registration
  return [preBuildScript, ...step.script, postBuildScript].filter((command) => command !== undefined)
}

/**
 * Runs the after-script in its own shell, with the status of the script in `CI_JOB_STATUS`. A failure is logged as
 * a warning. If `AFTER_SCRIPT_IGNORE_ERRORS` is false, the failure is returned.
 */
export async function runAfterScript(job: ScriptNeeds, scripts: JobOutcome): Promise<JobOutcome> {
  const step = stepsOf(job).find(({ name }) => name === AFTER_SCRIPT)
  if (!step || step.script.length === 0) return SUCCESS
  const warn = (text: string) => job.log.warning(text)
  const limit =
    durationSetting(job.variables.values, 'RUNNER_AFTER_SCRIPT_TIMEOUT', job.timeoutSeconds, warn) ??
    AFTER_SCRIPT_SECONDS
  const result = await runAfter(job, step, scripts, limit)
  if (result.kind === 'success') return result
  if (!booleanSetting(job.variables.values, 'AFTER_SCRIPT_IGNORE_ERRORS', true, warn)) return result
  warn(`after_script failed, but job will continue unaffected: ${describe(result)}`)
  return SUCCESS
}

async function runAfter(
  job: ScriptNeeds,
  step: JobStep,
  scripts: JobOutcome,
  limit: number,
): Promise<JobOutcome> {
  const tooLong = new AbortController()
  const stop = new JobStopError({ kind: 'script-timeout', seconds: limit })
  const timer = setTimeout(() => tooLong.abort(stop), limit * 1000)
  try {
    const script = { commands: step.script, status: statusFor(scripts), notice: 'Running after script...' }
    const signal = AbortSignal.any([job.control.whole, tooLong.signal])
    return outcomeOfScript(await runStage(job, STAGES.afterScript, script, signal))
  } catch (error) {
    if (error !== stop) throw error
    return { kind: 'stopped', stop: stop.stop }
  } finally {
    clearTimeout(timer)
  }
}

interface StageScript {
  commands: string[]
  /** Variables that override those of the job. */
  variables?: { key: string; value: string }[]
  status?: string
  notice?: string
}

/** Runs the script of a stage in its own section of the log. */
async function runStage(
  job: ScriptNeeds,
  stage: JobStage,
  script: StageScript,
  signal: AbortSignal,
): Promise<number> {
  const run = () => recordSteps(job, stage.name, script.commands, () => runScript(job, stage, script, signal))
  if (job.steps.isBegun(stage.name)) return await job.log.restOfSection(stage.name, run)
  signal.throwIfAborted()
  return await inStage(job.log, stage, run)
}

/**
 * Runs one script in its own shell and returns its exit code. If an earlier process started the script of this
 * stage, attaches to it instead.
 */
export async function runScript(
  job: ScriptNeeds,
  stage: JobStage,
  script: StageScript,
  signal: AbortSignal,
): Promise<number> {
  const { log, environment, steps, workspace } = job
  if (steps.isBegun(stage.name)) return (await environment.resume(stage, log, signal)).exitCode
  await workspace.writeTemporaryFile(STAGE_SCRIPT, stageScript(job, stage, script))
  if (job.mayBeHeld) await workspace.writeTemporaryFile(SAVE_SCRIPT_FILE, SAVE_SCRIPT)
  const beforeStart = () => steps.beginScript(stage.name)
  return (await environment.run(stage, log, signal, beforeStart)).exitCode
}

function stageScript(
  { payload, workspace, variables, registration, mayBeHeld }: ScriptNeeds,
  stage: JobStage,
  script: StageScript,
): string {
  const marks = `${workspace.temporaryDir}/${MARKS_DIRECTORY}/${markPrefix(stage.name)}`
  const status = script.status === undefined ? [] : [{ key: 'CI_JOB_STATUS', value: script.status }]
  return scriptText({
    variables: [...variables.list, ...(script.variables ?? []), ...status],
    commands: script.commands,
    projectDir: workspace.projectDir,
    environmentFile: `${workspace.temporaryDir}/gitlab_runner_env`,
    trace:
      !registration.debugTraceDisabled && booleanSetting(variables.values, 'CI_DEBUG_TRACE', false, () => {}),
    ...(script.notice === undefined ? {} : { notice: script.notice }),
    ...(payload.features?.script_steps || mayBeHeld ? { marks } : {}),
    ...(mayBeHeld
      ? { saves: { saveScript: `${workspace.temporaryDir}/${SAVE_SCRIPT_FILE}`, prefix: marks } }
      : {}),
  })
}

function outcomeOfScript(exitCode: number): JobOutcome {
  return exitCode === 0 ? SUCCESS : failedScript(exitCode)
}

/** The value of `CI_JOB_STATUS` in the after-script (runner protocol, 7.3). */
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

/** A native step that this runner supports: a script in its own shell, with its own variables. */
interface ScriptedStep {
  /** Unique within the job, even if step names repeat. */
  key: string
  name: string
  script: string
  env: Readonly<Record<string, string>>
}

const Steps = Type.Array(NativeStep)

/**
 * Reads `run` of a payload (CI language, 3.2). If one step is not supported, the job runs no step. The outcome then
 * names the step and a remedy.
 */
function readNativeSteps(run: string): ScriptedStep[] | Extract<JobOutcome, { kind: 'failed' }> {
  const steps = parsed(run)
  if (!steps)
    return unsupported('The steps under `run` are not in a form that this runner knows. Update the runner.')
  const scripted: ScriptedStep[] = []
  for (const [index, { name, script, env = {} }] of steps.entries()) {
    const called = `The step "${name}" (${index + 1} of ${steps.length}) under \`run\``
    if (script === undefined) {
      return unsupported(
        `${called} has no script: \`step\` and \`func\` need the step runner of the reference, ` +
          'which this runner does not have. Write the step as a script, or use a runner that has it.',
      )
    }
    const expression = [script, ...Object.values(env)].find((text) => text.includes('${{'))
    if (expression !== undefined) {
      return unsupported(
        `${called} has an expression \`\${{ … }}\`, which only the step runner of the reference evaluates. ` +
          'Write a variable of the shell instead.',
      )
    }
    scripted.push({ key: `${index + 1}_${name}`, name, script, env })
  }
  return scripted
}

function parsed(run: string): NativeStep[] | undefined {
  try {
    const steps: unknown = JSON.parse(run)
    return Check(Steps, steps) ? steps : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function unsupported(message: string): Extract<JobOutcome, { kind: 'failed' }> {
  return { kind: 'failed', message, reason: 'runner_unsupported' }
}
