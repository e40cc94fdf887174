import { hash } from 'node:crypto'

import type { TraceSection } from '../storage/trace-index/trace-scanner.js'

/** A span of a trace, as plain data. Times are milliseconds since 1970. */
export interface PipelineSpan {
  traceId: string
  spanId: string
  /** Null for the pipeline. */
  parentId: string | null
  name: string
  start: number
  end: number
  attributes: Record<string, string | number | boolean>
  events: { name: string; at: number }[]
  /** Why it failed; null = it did not. */
  failure: string | null
  /** The job of another trace that started the pipeline. */
  link: { traceId: string; spanId: string } | null
}

export interface TracedPipeline {
  id: number
  iid: number
  name: string | null
  status: string
  source: string
  ref: string
  tag: boolean
  sha: string
  failure_reason: string | null
  created_at: number
  started_at: number | null
  finished_at: number | null
  project_path: string
  upstream_job_id: number | null
  upstream_pipeline_id: number | null
}

export interface TracedJob {
  id: number
  kind: 'build' | 'bridge'
  name: string
  stage: string
  stage_index: number
  status: string
  allow_failure: boolean
  retried: boolean
  failure_reason: string | null
  exit_code: number | null
  queued_at: number | null
  started_at: number | null
  finished_at: number | null
  runner_id: number | null
  runner_description: string | null
  runner_system_id: string | null
}

export type LogSection = Pick<TraceSection, 'name' | 'depth' | 'startedAt' | 'finishedAt'>

/** Sections of one job that get spans; scripts may write any number. */
const MAX_SECTIONS = 50
const MAX_NAME = 200

/**
 * Spans and their IDs follow from the records alone. So a span that is sent again, or by another coordinator, is the same
 * span. Attributes have the names of the OpenTelemetry conventions for CI/CD where there is one.
 */
export class PipelineSpans {
  readonly traceId: string
  private readonly rootId: string
  private readonly stages = new Map<
    number,
    { name: string; start: number; end: number; hasFailed: boolean }
  >()

  constructor(
    /** Without a slash at the end. It distinguishes instances. */
    private readonly externalUrl: string,
    private readonly pipeline: TracedPipeline,
  ) {
    this.traceId = this.traceOf(pipeline.id)
    this.rootId = this.spanOf('pipeline', pipeline.id)
  }

  /**
   * The span of a job and those of the sections of its log. There is none for a job that has not ended, or was never
   * due.
   */
  ofJob(job: TracedJob, sections: readonly LogSection[]): PipelineSpan[] {
    const begin = job.queued_at ?? job.started_at
    if (job.finished_at === null || begin === null) return []
    const end = Math.max(begin, job.finished_at)
    const hasFailed = job.status === 'failed'
    this.widenStage(job, begin, end, hasFailed && !job.allow_failure && !job.retried)
    const span = this.span({
      spanId: this.spanOf('job', job.id),
      parentId: this.spanOf('stage', job.stage_index),
      name: job.name,
      start: begin,
      end,
      attributes: {
        'cicd.pipeline.task.name': job.name,
        'cicd.pipeline.task.run.id': String(job.id),
        'cicd.pipeline.task.run.url.full': `${this.projectUrl}/-/jobs/${job.id}`,
        'cicd.pipeline.task.run.result': resultOf(job.status),
        'switchyard.job.kind': job.kind,
        'switchyard.job.stage': job.stage,
        'switchyard.job.status': job.status,
        'switchyard.job.allow_failure': job.allow_failure,
        'switchyard.job.retried': job.retried,
        ...given('switchyard.job.failure_reason', job.failure_reason),
        ...given('switchyard.job.exit_code', job.exit_code),
        ...given('cicd.worker.id', job.runner_id === null ? null : String(job.runner_id)),
        ...given('cicd.worker.name', job.runner_description),
        ...given('switchyard.runner.system_id', job.runner_system_id),
      },
      events: [
        ...(job.queued_at === null ? [] : [{ name: 'queued', at: job.queued_at }]),
        ...(job.started_at === null ? [] : [{ name: 'running', at: job.started_at }]),
      ],
      failure: hasFailed ? (job.failure_reason ?? 'failed') : null,
    })
    return [span, ...this.ofSections(job, { begin: job.started_at ?? begin, end }, sections)]
  }

  /** The spans of the pipeline and its stages; to be called after all jobs. */
  ofPipeline(): PipelineSpan[] {
    const { pipeline } = this
    const start = pipeline.created_at
    const lastEnd = Math.max(start, ...[...this.stages.values()].map(({ end }) => end))
    const root = this.span({
      spanId: this.rootId,
      parentId: null,
      name: cut(pipeline.name ?? pipeline.project_path),
      start,
      end: Math.max(start, pipeline.finished_at ?? lastEnd),
      attributes: {
        'cicd.pipeline.name': cut(pipeline.name ?? pipeline.project_path),
        'cicd.pipeline.run.id': String(pipeline.id),
        'cicd.pipeline.run.url.full': `${this.projectUrl}/-/pipelines/${pipeline.id}`,
        'cicd.pipeline.result': resultOf(pipeline.status),
        'vcs.repository.name': pipeline.project_path,
        'vcs.repository.url.full': this.projectUrl,
        'vcs.ref.head.name': pipeline.ref,
        'vcs.ref.head.type': pipeline.tag ? 'tag' : 'branch',
        'vcs.ref.head.revision': pipeline.sha,
        'switchyard.pipeline.iid': pipeline.iid,
        'switchyard.pipeline.source': pipeline.source,
        'switchyard.pipeline.status': pipeline.status,
        ...given('switchyard.pipeline.failure_reason', pipeline.failure_reason),
      },
      events: pipeline.started_at === null ? [] : [{ name: 'running', at: pipeline.started_at }],
      failure: pipeline.status === 'failed' ? (pipeline.failure_reason ?? 'failed') : null,
      link: this.upstream(),
    })
    return [root, ...[...this.stages].map(([index, stage]) => this.ofStage(index, stage))]
  }

  private ofStage(
    index: number,
    { name, start, end, hasFailed }: { name: string; start: number; end: number; hasFailed: boolean },
  ): PipelineSpan {
    return this.span({
      spanId: this.spanOf('stage', index),
      parentId: this.rootId,
      name: cut(name),
      start,
      end,
      attributes: { 'switchyard.stage.name': name, 'switchyard.stage.index': index },
      failure: hasFailed ? 'failed' : null,
    })
  }

  private ofSections(
    job: TracedJob,
    { begin, end }: { begin: number; end: number },
    sections: readonly LogSection[],
  ): PipelineSpan[] {
    const timed = sections.filter(
      ({ depth, startedAt, finishedAt }) => depth === 0 && startedAt !== null && finishedAt !== null,
    )
    // Scripts may write markers with any time. Those of runners have whole seconds.
    const within = (seconds: number | null): number => Math.min(end, Math.max(begin, (seconds ?? 0) * 1000))
    return timed.slice(0, MAX_SECTIONS).map(({ name, startedAt, finishedAt }, index) =>
      this.span({
        spanId: this.spanOf(`section ${index}`, job.id),
        parentId: this.spanOf('job', job.id),
        name: cut(name),
        start: within(startedAt),
        end: Math.max(within(startedAt), within(finishedAt)),
        attributes: { 'switchyard.job.section': cut(name) },
        failure: null,
      }),
    )
  }

  private widenStage(
    { stage, stage_index }: TracedJob,
    start: number,
    end: number,
    hasFailed: boolean,
  ): void {
    const known = this.stages.get(stage_index)
    this.stages.set(stage_index, {
      name: stage,
      start: Math.min(start, known?.start ?? start),
      end: Math.max(end, known?.end ?? end),
      hasFailed: hasFailed || (known?.hasFailed ?? false),
    })
  }

  private upstream(): PipelineSpan['link'] {
    const { upstream_pipeline_id: pipelineId, upstream_job_id: jobId } = this.pipeline
    if (pipelineId === null || jobId === null) return null
    return { traceId: this.traceOf(pipelineId), spanId: this.idOf(16, pipelineId, 'job', jobId) }
  }

  private span(
    span: Omit<PipelineSpan, 'traceId' | 'events' | 'link'> & Partial<Pick<PipelineSpan, 'events' | 'link'>>,
  ): PipelineSpan {
    const { events = [], link = null, ...rest } = span
    return { traceId: this.traceId, events, link, ...rest }
  }

  private get projectUrl(): string {
    return `${this.externalUrl}/${this.pipeline.project_path}`
  }

  private traceOf(pipelineId: number): string {
    return this.idOf(32, pipelineId, 'trace', pipelineId)
  }

  private spanOf(kind: string, id: number): string {
    return this.idOf(16, this.pipeline.id, kind, id)
  }

  private idOf(digits: number, pipelineId: number, kind: string, id: number): string {
    return hash('sha256', `${this.externalUrl} ${pipelineId} ${kind} ${id}`).slice(0, digits)
  }
}

function given(name: string, value: string | number | null): Record<string, string | number> {
  return value === null ? {} : { [name]: value }
}

function cut(name: string): string {
  return name.slice(0, MAX_NAME)
}

/** The value of `cicd.pipeline.result` for a status. */
function resultOf(status: string): string {
  switch (status) {
    case 'success':
      return 'success'
    case 'failed':
      return 'failure'
    case 'canceled':
      return 'cancellation'
    case 'skipped':
      return 'skip'
    default:
      return status
  }
}
