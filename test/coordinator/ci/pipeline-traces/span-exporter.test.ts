import { expect, test } from 'vitest'

import type { SpanExport } from '../../../../src/coordinator/ci/pipeline-traces/span-export.js'
import { SpanExporter } from '../../../../src/coordinator/ci/pipeline-traces/span-exporter.js'
import type { PipelineSpan } from '../../../../src/coordinator/ci/pipeline-traces/spans.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { testAtNight } from '../../../support/nightly.js'
import { type CiCoordinator, pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { RunnerClient } from '../../support/runner-client.js'
import { otlpReceiver } from './otlp-receiver.js'

const TWO_STAGES = `
stages: [build, test]
compile: { stage: build, script: [make] }
unit: { stage: test, script: [make test] }
lint: { stage: test, script: [make lint], allow_failure: true }
later: { stage: test, script: [make later], when: manual, allow_failure: true }
`

async function finish(runner: RunnerClient, state: string, log = 'done\n', more: object = {}): Promise<void> {
  const job = await runner.takeJob()
  await runner.patch(job, `0-${log.length - 1}`, log)
  await runner.update(job, state, more)
}

test('a pipeline that ends is sent as a trace, with its stages, jobs and the sections of their logs', async () => {
  const receiver = await otlpReceiver()
  const coordinator = await startCiCoordinator({ traceExport: { url: `${receiver.url}/v1/traces` } })
  const runner = await RunnerClient.register(coordinator, { description: 'builder' })
  await pushPipeline(coordinator, TWO_STAGES)
  const second = Math.floor(Date.now() / 1000)
  const section = `section_start:${second}:step_script\r\u001b[0Kmake\nsection_end:${second + 1}:step_script\r\u001b[0K\n`
  await finish(runner, 'success', section)
  await finish(runner, 'failed', 'x\n', { failure_reason: 'script_failure', exit_code: 2 })
  await finish(runner, 'failed', 'x\n', { failure_reason: 'script_failure' })
  const spans = await receiver.until(7)
  const named = (name: string) => spans.find((span) => span.name === name)
  const [root, build, tests] = [named('group/app'), named('build'), named('test')]
  expect(receiver.requests[0]?.url).toBe('/v1/traces')
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  expect(root).toMatchObject({ parentId: '', status: 2, resource: { 'service.name': 'switchyard' } })
  expect(root?.attributes).toMatchObject({
    'cicd.pipeline.result': 'failure',
    'vcs.repository.name': 'group/app',
    'switchyard.pipeline.source': 'push',
  })
  expect([build, tests].map((stage) => [stage?.parentId, stage?.status])).toEqual([
    [root?.spanId, 0],
    [root?.spanId, 2],
  ])
  const compile = named('compile')
  expect(compile).toMatchObject({ parentId: build?.spanId, status: 0, events: ['queued', 'running'] })
  expect(compile?.attributes).toMatchObject({
    'cicd.pipeline.task.run.result': 'success',
    'cicd.worker.name': 'builder',
    'switchyard.job.stage': 'build',
    'switchyard.job.status': 'success',
  })
  expect(named('step_script')).toMatchObject({ parentId: compile?.spanId })
  const failed = spans.filter(({ attributes }) => attributes['switchyard.job.failure_reason'])
  expect(failed.map(({ name }) => name).toSorted()).toEqual(['lint', 'unit'])
  expect(failed.find(({ attributes }) => attributes['switchyard.job.exit_code'] === 2)).toMatchObject({
    parentId: tests?.spanId,
    status: 2,
    message: 'script_failure',
  })
  for (const { start, end } of spans) {
    expect(start).toBeGreaterThanOrEqual(root?.start ?? Infinity)
    expect(end).toBeGreaterThanOrEqual(start)
    expect(end).toBeLessThanOrEqual(root?.end ?? 0)
  }
  expect(named('later')).toBeUndefined()
})

testAtNight(
  'a pipeline that was retried is sent again with the same IDs, and only the new attempt is new',
  async () => {
    const receiver = await otlpReceiver()
    const coordinator = await startCiCoordinator({ traceExport: { url: receiver.url } })
    const runner = await RunnerClient.register(coordinator)
    await pushPipeline(coordinator, 'build: { script: [make] }')
    await finish(runner, 'failed')
    const first = [...(await receiver.until(3))]
    const [{ id }] = (await coordinator.database.selectFrom('job').select('id').execute()) as [{ id: number }]
    await fetch(`${coordinator.url}/projects/${coordinator.project.id}/jobs/${id}/retry`, {
      method: 'POST',
      headers: { 'private-token': coordinator.admin.token },
    })
    await finish(runner, 'success')
    const again = (await receiver.until(7)).slice(3)
    const known = new Set(first.map(({ traceId, spanId }) => `${traceId} ${spanId}`))
    const fresh = again.filter(({ traceId, spanId }) => !known.has(`${traceId} ${spanId}`))
    expect(fresh.map(({ name, status }) => [name, status])).toEqual([['build', 0]])
    expect(again).toHaveLength(4)
  },
)

/** A sender whose collector is `send`, and the lines that it logs. */
function senderOf({ database, traceIndexes }: CiCoordinator, send: SpanExport['send']) {
  const lines: string[] = []
  const logger = createLogger('test', 'info', {
    format: (line) => {
      lines.push((JSON.parse(line) as { msg: string }).msg)
      return ''
    },
  })
  const open = async (): Promise<SpanExport> => ({ send, close: async () => undefined })
  return {
    lines,
    sender: new SpanExporter({ database, traceIndexes, externalUrl: 'http://x', open, logger }),
  }
}

test('a collector that fails is logged once, and again when it takes traces', async () => {
  const coordinator = await startCiCoordinator()
  const { id } = await pushPipeline(coordinator, 'build: { script: [make] }')
  let isDown = true
  const sent: PipelineSpan[] = []
  const { lines, sender } = senderOf(coordinator, async (spans) => {
    if (isDown) throw new Error('refused')
    sent.push(...spans)
  })
  for (const status of ['failed', 'success', 'running'] as const) {
    sender.changed([{ id, status }])
    await sender.idle()
  }
  expect(lines).toEqual([expect.stringContaining('traces are lost')])
  expect(sent).toEqual([])
  isDown = false
  sender.changed([{ id, status: 'success' }])
  await sender.idle()
  expect(sent.map(({ parentId }) => parentId)).toEqual([null])
  expect(lines.slice(1)).toEqual(['Traces of pipelines are sent again'])
})

test('a collector that refuses everything fails no job', async () => {
  const receiver = await otlpReceiver(() => 400)
  const coordinator = await startCiCoordinator({ traceExport: { url: receiver.url } })
  const runner = await RunnerClient.register(coordinator)
  const { id } = await pushPipeline(coordinator, 'build: { script: [make] }')
  await finish(runner, 'success')
  await coordinator.spanExporter?.idle()
  expect(receiver.requests).toHaveLength(1)
  const pipeline = await coordinator.database
    .selectFrom('pipeline')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(pipeline.status).toBe('success')
})

test('without a collector nothing is sent', async () => {
  expect((await startCiCoordinator()).spanExporter).toBeUndefined()
})
