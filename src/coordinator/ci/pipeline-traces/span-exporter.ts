import PQueue from 'p-queue'

import type { Logger } from '../../../lib/logger.js'
import { pause } from '../../../lib/pause.js'
import type { Database } from '../../database/connect.js'
import type { JobStatus } from '../../database/tables/job-columns.js'
import { isCompleted } from '../engine/job-status.js'
import type { TraceIndexes } from '../storage/trace-indexes.js'
import type { SpanExport } from './span-export.js'
import { type LogSection, type PipelineSpan, PipelineSpans } from './spans.js'
import { findTracedPipeline, tracedJobs } from './store.js'

export interface SpanExporterDeps {
  database: Database
  traceIndexes: Pick<TraceIndexes, 'withLog'>
  externalUrl: string
  /** Loads and opens the exporter, before the first pipeline is sent. */
  open: () => Promise<SpanExport>
  logger: Logger
}

/** Pipelines that may wait to be sent; more are dropped, the newest first. */
const MAX_WAITING = 1000
/** Spans that are made and sent at once: 0.1 ms of the event loop each. */
const BATCH = 100
/** How long a stop waits for the pipelines that have ended just before, in milliseconds. */
const STOP_WAIT = 2000

/**
 * Sends each pipeline that ends as a trace, in the background. A collector that does not respond loses traces and delays
 * nothing else; it is logged once, until it responds again.
 */
export class SpanExporter {
  private readonly queue = new PQueue({ concurrency: 1 })
  private readonly waiting = new Set<number>()
  private opened: Promise<SpanExport> | undefined
  /** Pipelines that were not sent since the collector responded last. */
  private lost = 0

  constructor(private readonly deps: SpanExporterDeps) {}

  /** Call this after the commit of new statuses; never throws. */
  changed(pipelines: readonly { id: number; status: JobStatus }[]): void {
    for (const { id, status } of pipelines) {
      if (!isCompleted(status) || this.waiting.has(id)) continue
      if (this.waiting.size >= MAX_WAITING) {
        this.lose(id, new Error(`${MAX_WAITING} pipelines wait already`))
        continue
      }
      this.waiting.add(id)
      void this.queue.add(() => this.send(id))
    }
  }

  /** Resolves when everything that ended before is sent or lost. */
  idle(): Promise<void> {
    return this.queue.onIdle()
  }

  /** Sends what it can within two seconds. */
  async stop(): Promise<void> {
    const ended = new AbortController()
    await Promise.race([this.queue.onIdle(), pause(STOP_WAIT, ended.signal)])
    ended.abort()
    this.queue.clear()
    const opened = await this.opened?.catch(() => undefined) // the failure is logged
    if (this.queue.pending === 0) await opened?.close()
  }

  /** Never rejects. */
  private async send(id: number): Promise<void> {
    this.waiting.delete(id)
    try {
      const exporter = await (this.opened ??= this.deps.open())
      let batch: PipelineSpan[] = []
      for await (const span of this.spansOf(id)) {
        batch.push(span)
        if (batch.length < BATCH) continue
        await exporter.send(batch)
        batch = []
      }
      if (batch.length > 0) await exporter.send(batch)
      if (this.lost > 0) this.deps.logger.info({ lost: this.lost }, 'Traces of pipelines are sent again')
      this.lost = 0
    } catch (error) {
      this.lose(id, error)
    }
  }

  private lose(id: number, error: unknown): void {
    if (this.lost === 0) {
      this.deps.logger.warn(
        { err: error, pipeline: id },
        'Failed to send the trace of a pipeline; traces are lost until the collector takes them again',
      )
    }
    this.lost++
  }

  private async *spansOf(id: number): AsyncGenerator<PipelineSpan> {
    const { database, externalUrl } = this.deps
    const pipeline = await findTracedPipeline(database, id)
    if (!pipeline) return
    const spans = new PipelineSpans(externalUrl, pipeline)
    for await (const job of tracedJobs(database, id)) yield* spans.ofJob(job, await this.sectionsOf(job))
    yield* spans.ofPipeline()
  }

  private async sectionsOf(job: {
    id: number
    project_id: number
    trace_bytes: number | null
  }): Promise<readonly LogSection[]> {
    if (job.trace_bytes === null || job.trace_bytes === 0) return []
    return this.deps.traceIndexes.withLog(job, { isFinished: true }, async (log) => log?.view.sections ?? [])
  }
}
