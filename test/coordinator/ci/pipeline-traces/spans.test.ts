import { expect, test } from 'vitest'

import {
  PipelineSpans,
  type TracedJob,
  type TracedPipeline,
} from '../../../../src/coordinator/ci/pipeline-traces/spans.js'

const PIPELINE: TracedPipeline = {
  id: 7,
  iid: 1,
  name: null,
  status: 'success',
  source: 'push',
  ref: 'main',
  tag: false,
  sha: 'a'.repeat(40),
  failure_reason: null,
  created_at: 1000,
  started_at: 2000,
  finished_at: 9000,
  project_path: 'group/app',
  upstream_job_id: null,
  upstream_pipeline_id: null,
}

const JOB: TracedJob = {
  id: 70,
  kind: 'build',
  name: 'unit',
  stage: 'test',
  stage_index: 1,
  status: 'success',
  allow_failure: false,
  retried: false,
  failure_reason: null,
  exit_code: null,
  queued_at: 1500,
  started_at: 2000,
  finished_at: 9000,
  runner_id: null,
  runner_description: null,
  runner_system_id: null,
}

function spansOf(pipeline: Partial<TracedPipeline> = {}, url = 'https://ci.example.com'): PipelineSpans {
  return new PipelineSpans(url, { ...PIPELINE, ...pipeline })
}

test('IDs are those of the pipeline of the instance, in the form of OpenTelemetry', () => {
  expect(spansOf().ofPipeline()).toEqual(spansOf().ofPipeline())
  const [one] = spansOf().ofPipeline()
  expect(one?.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(one?.spanId).toMatch(/^[0-9a-f]{16}$/)
  const others = [spansOf({ id: 8 }), spansOf({}, 'https://other.example.com')]
  expect(others.map(({ traceId }) => traceId)).not.toContain(one?.traceId)
})

test('a job that was never due, or has not ended, has no span, and no stage without others', () => {
  const spans = spansOf()
  expect(spans.ofJob({ ...JOB, queued_at: null, started_at: null, status: 'canceled' }, [])).toEqual([])
  expect(spans.ofJob({ ...JOB, finished_at: null, status: 'manual' }, [])).toEqual([])
  expect(spans.ofPipeline()).toHaveLength(1)
})

test('a stage lasts from its first job to its last, and fails with a job that matters', () => {
  const spans = spansOf()
  spans.ofJob({ ...JOB, status: 'failed', retried: true }, [])
  spans.ofJob({ ...JOB, id: 71, status: 'failed', allow_failure: true, finished_at: 12_000 }, [])
  const stage = () => spans.ofPipeline().find(({ name }) => name === 'test')
  expect(stage()).toMatchObject({ start: 1500, end: 12_000, failure: null })
  spans.ofJob({ ...JOB, id: 72, status: 'failed', queued_at: 1400 }, [])
  expect(stage()).toMatchObject({ start: 1400, failure: 'failed' })
})

test('sections are kept within the time of the job, whatever a script writes', () => {
  const sections = [
    { name: 'early', depth: 0, startedAt: 1, finishedAt: 3 },
    { name: 'inner', depth: 1, startedAt: 3, finishedAt: 4 },
    { name: 'open', depth: 0, startedAt: 3, finishedAt: null },
    { name: 'backwards', depth: 0, startedAt: 8, finishedAt: 99_999 },
    { name: 'x'.repeat(5000), depth: 0, startedAt: 5, finishedAt: 4 },
  ]
  const [job, ...inner] = spansOf().ofJob(JOB, sections)
  expect(inner.map(({ name, start, end }) => [name.slice(0, 9), start, end])).toEqual([
    ['early', 2000, 3000],
    ['backwards', 8000, 9000],
    ['xxxxxxxxx', 5000, 5000],
  ])
  expect(new Set(inner.map(({ parentId }) => parentId))).toEqual(new Set([job?.spanId]))
  expect(inner.every(({ name }) => name.length <= 200)).toBe(true)
  const many = Array.from({ length: 3000 }, () => ({ name: 'a', depth: 0, startedAt: 3, finishedAt: 3 }))
  expect(spansOf().ofJob(JOB, many)).toHaveLength(51)
})

test('a pipeline that a job of another one started links to the span of that job', () => {
  const [job] = spansOf({ id: 6 }).ofJob({ ...JOB, id: 60 }, [])
  const [root] = spansOf({ upstream_pipeline_id: 6, upstream_job_id: 60 }).ofPipeline()
  expect(root?.link).toEqual({ traceId: job?.traceId, spanId: job?.spanId })
})
