import type { ScriptStep } from '../../../protocol/script-step.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { isoTimeOrNull } from '../../http/presenters/present-time.js'
import { locateCommands } from '../storage/log-failure.js'
import type { OpenLog } from '../storage/trace-indexes.js'
import type { TraceOwner, Traces } from '../storage/traces.js'
import type { JobStepRecord } from './schema.js'

/** The lines of the scripts of a job as its runner reported them. Empty if it did not, or the log was deleted. */
export async function readSteps(traces: Pick<Traces, 'readSteps'>, job: TraceOwner): Promise<ScriptStep[]> {
  const stored = await traces.readSteps(job)
  return stored === undefined ? [] : (JSON.parse(stored) as ScriptStep[])
}

/**
 * The line that failed the job: the last one of the script that ran and did not succeed, or else of the after-script if the
 * job has its exit code, because most jobs ignore that. Undefined if all lines succeeded: the job then failed before its
 * script or after it. `exitCode`: that of the job.
 */
export function failedStep(steps: readonly ScriptStep[], exitCode: number | null): ScriptStep | undefined {
  const last = lastOfEachSection(steps).filter(({ exit_code }) => exit_code !== 0)
  const ofScript = last.find(({ section }) => section !== AFTER_SCRIPT)
  return ofScript ?? last.find((step) => step.exit_code === exitCode)
}

const AFTER_SCRIPT = 'after_script'

/** The line of each section that began last. */
function lastOfEachSection(steps: readonly ScriptStep[]): ScriptStep[] {
  const last = new Map<string, ScriptStep>()
  for (const step of steps) {
    const known = last.get(step.section)
    if (step.started_at !== null && (known?.started_at ?? -1) <= step.started_at) last.set(step.section, step)
  }
  return [...last.values()]
}

/** The line that failed a failed job, as `presentSteps` has it. Undefined if there is none. */
export async function presentFailedStep(
  log: OpenLog | undefined,
  steps: readonly ScriptStep[],
  job: Pick<JobRow, 'status' | 'exit_code'>,
): Promise<JobStepRecord | undefined> {
  const failed = failedStep(steps, job.exit_code)
  if (!failed) return undefined
  const ofSection = steps.filter(({ section }) => section === failed.section)
  return (await presentSteps(log, ofSection, job)).find((record) => record.failed)
}

/** With the lines of the log that show them. */
export async function presentSteps(
  log: OpenLog | undefined,
  steps: readonly ScriptStep[],
  { status, exit_code }: Pick<JobRow, 'status' | 'exit_code'>,
): Promise<JobStepRecord[]> {
  const failed = status === 'failed' ? failedStep(steps, exit_code) : undefined
  const sections = [...new Set(steps.map(({ section }) => section))]
  const records: JobStepRecord[] = []
  for (const name of sections) {
    const ofSection = steps.filter(({ section }) => section === name)
    const begun = ofSection.map(({ text, started_at }) => (started_at === null ? '' : text))
    const lines = log ? await locateCommands(log, name, begun) : []
    records.push(
      ...ofSection.map(({ started_at, ...step }, index) => ({
        ...step,
        started_at: isoTimeOrNull(started_at),
        failed: failed !== undefined && step.section === failed.section && step.line === failed.line,
        log_line: lines[index] ?? null,
      })),
    )
  }
  return records
}
