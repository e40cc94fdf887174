import { Check } from 'typebox/value'

import type { Logger } from '../../../lib/logger.js'
import type { SameLengthMasker } from '../../../masking/same-length-masker.js'
import type { JobUpdate } from '../../../protocol/job-update.js'
import { MAX_SCRIPT_STEPS, ScriptStep } from '../../../protocol/script-step.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { Traces } from '../storage/traces.js'
import type { TraceMaskers } from './trace/trace-maskers.js'

interface StoreStepsDeps {
  traces: Pick<Traces, 'storeSteps'>
  maskers: Pick<TraceMaskers, 'maskerOf'>
  logger: Logger
}

/** The sections that can have lines: each script, and each native step. */
const MAX_STEPS = 10 * MAX_SCRIPT_STEPS

/**
 * Stores how the lines of the scripts ended, masked as the log. They are not part of the result: if they cannot be
 * stored, the job ends nevertheless.
 */
export async function storeSteps(
  { traces, maskers, logger }: StoreStepsDeps,
  job: JobRow,
  { script_steps: reported }: JobUpdate,
  token: string,
): Promise<void> {
  const steps = (reported ?? []).filter((step) => Check(ScriptStep, step)).slice(0, MAX_STEPS)
  if (steps.length === 0) return
  try {
    const masker = await maskers.maskerOf(job.id, token)
    const known = steps.map(({ section, line, of, text, started_at, duration, exit_code }) => {
      return { section, line, of, text: mask(masker, text), started_at, duration, exit_code }
    })
    await traces.storeSteps(job, JSON.stringify(known))
  } catch (error) {
    logger.error({ job: job.id, err: error }, 'How the lines of the scripts ended could not be stored')
  }
}

/** Masks a text that is not part of the log. */
function mask(masker: SameLengthMasker, text: string): string {
  const bytes = Buffer.from(text)
  const append = masker.append(Buffer.alloc(0), 0)
  for (const placed of [append.push(bytes), append.finish()]) {
    placed?.bytes.copy(bytes, placed.position)
  }
  return bytes.toString()
}
