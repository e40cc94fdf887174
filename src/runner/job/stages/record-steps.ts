import { ExecutorError } from '../../executor/executor.js'
import type { JobContext } from '../job-context.js'
import { readMarkName } from './line-marks.js'
import { type RunScript, scriptSteps, textOfCommand } from './script-steps.js'

type Needs = Pick<JobContext, 'payload' | 'workspace' | 'steps' | 'mayBeHeld'>

/** Milliseconds for reading the marks of a script. */
const READING_LIMIT = 10_000

/**
 * Runs a script, and records how each of its lines ended if the coordinator or a hold wants to know. The marks are files of the
 * job, so the runner need not have run all the time. Returns and throws what `run` does.
 */
export async function recordSteps(
  job: Needs,
  section: string,
  commands: readonly string[],
  run: () => Promise<number>,
): Promise<number> {
  if (!job.payload.features?.script_steps && !job.mayBeHeld) return await run()
  const script = { section, commands, beganAt: job.steps.isBegun(section) ? undefined : Date.now() }
  try {
    const exitCode = await run()
    await readSteps(job, { ...script, exitCode, endedAt: Date.now() })
    return exitCode
  } catch (error) {
    // Without an engine, there is no access to the files either.
    if (!(error instanceof ExecutorError))
      await readSteps(job, { ...script, exitCode: null, endedAt: Date.now() })
    throw error
  }
}

async function readSteps({ workspace, steps }: Needs, script: RunScript): Promise<void> {
  const { section, commands } = script
  await steps.recordScript(section, async () => {
    const files = await workspace.readMarks(AbortSignal.timeout(READING_LIMIT))
    const marks = files.flatMap(({ name, createdAt }) => {
      const mark = readMarkName(name, section)
      return mark ? [{ ...mark, at: createdAt }] : []
    })
    const texts = steps.mask(commands.map(textOfCommand))
    return scriptSteps(script, marks, texts)
  })
}
