import type { Logger } from '../../lib/logger.js'
import type { UploadTimeouts } from '../artifacts/send-artifact.js'
import type { CoordinatorClient } from '../client/coordinator-client.js'
import { TraceBuffer } from '../trace/trace-buffer.js'
import { TraceSender } from '../trace/trace-sender.js'
import { type Delivered, deliverResult } from './deliver-result.js'
import type { JobJournal } from './journal/job-journal.js'
import { sendKeptArtifacts } from './kept-artifacts.js'
import { finalUpdate } from './outcome.js'

export interface KeptDelivery {
  client: Pick<CoordinatorClient, 'appendTrace' | 'updateJob' | 'uploadArtifact' | 'callForJob'>
  timeouts: UploadTimeouts
  /** The process cannot wait any longer. */
  signal: AbortSignal
  logger: Logger
}

/** One more try to hand over what a journal has kept of a job that has ended. The journal stays until it is removed. */
export async function deliverKept(
  { client, timeouts, signal, logger }: KeptDelivery,
  journal: JobJournal,
): Promise<Delivered> {
  const { payload } = journal.job
  if (!journal.outcome) throw new Error(`The job ${payload.id} has not ended`)
  const outcome = await sendKeptArtifacts({ client, timeouts, signal, logger }, journal, journal.outcome)
  if (!outcome) return 'undelivered'
  // What is in the file was masked and limited before.
  const rules = { secrets: [], tokenPrefixes: [], limit: Infinity }
  const trace = await TraceBuffer.reopen(journal.traceFile, rules)
  const ignore = () => {}
  const sender = new TraceSender({
    client,
    job: payload,
    trace,
    isDebug: false,
    logger,
    onCancel: ignore,
    onAbort: ignore,
  })
  try {
    const update = finalUpdate(outcome, payload.features?.failure_reasons ?? [])
    const delivery = { client, job: payload, trace, sender, update, tries: 1, firstDelay: 0, signal, logger }
    return await deliverResult(delivery)
  } finally {
    await trace.close()
  }
}
