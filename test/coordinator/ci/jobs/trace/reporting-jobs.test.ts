import { join } from 'node:path'
import { Readable } from 'node:stream'

import { expect, onTestFinished, test, vi } from 'vitest'

import { requeueJob } from '../../../../../src/coordinator/ci/engine/dispatch/dispatch-job.js'
import { finishJob } from '../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import type { LoggingJob } from '../../../../../src/coordinator/ci/engine/job-log-store.js'
import { cancelJob } from '../../../../../src/coordinator/ci/engine/retry/cancel.js'
import { appendTrace } from '../../../../../src/coordinator/ci/jobs/trace/append-trace.js'
import { ReportingJobs } from '../../../../../src/coordinator/ci/jobs/trace/reporting-jobs.js'
import { TraceMaskers } from '../../../../../src/coordinator/ci/jobs/trace/trace-maskers.js'
import { JobWatches } from '../../../../../src/coordinator/ci/signals/job-watches.js'
import { TraceReaders } from '../../../../../src/coordinator/ci/signals/trace-readers.js'
import { Traces } from '../../../../../src/coordinator/ci/storage/traces.js'
import type { JobTable } from '../../../../../src/coordinator/database/tables/pipelines.js'
import { tokenDigest } from '../../../../../src/lib/tokens.js'
import { SameLengthMasker } from '../../../../../src/masking/same-length-masker.js'
import { describeOnEachDatabase, type OpenDatabase } from '../../../../support/databases.js'
import { tempDir } from '../../../../support/temp-dir.js'
import { openEngine, pipelineOf, takeJob } from '../../engine/support/engine.js'

/** A running job, and a coordinator that its runner reports to. */
async function openScene(open: OpenDatabase) {
  const engine = await openEngine(open)
  const watches = new JobWatches({ onLost: () => undefined })
  engine.deps.notifications.on('runnerConcerned', (jobId) => watches.notify(jobId))
  const traces = new Traces(join(await tempDir(), 'traces'), 1000)
  onTestFinished(() => traces.close())
  const jobs = new ReportingJobs({ engine: engine.deps, traces })
  watches.listen(jobs)
  await pipelineOf(engine, 'a: { script: x }')
  const { job, token } = await takeJob(engine, 'a')
  /** Without a notification, as if another coordinator did it. */
  const change = (columns: Partial<Pick<JobTable, 'token_digest' | 'status'>>) =>
    engine.deps.database.updateTable('job').set(columns).where('id', '=', job.id).execute()
  const print = (text: string) =>
    traces.append(job, 0, Readable.from([Buffer.from(text)]), new SameLengthMasker([]))
  const read = () =>
    engine.deps.database.selectFrom('job').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow()
  const endLease = () => engine.deps.database.deleteFrom('lease').where('job_id', '=', job.id).execute()
  const append = (running: LoggingJob, text: string, beforeBody?: () => Promise<unknown>) =>
    appendTrace(
      {
        engine: engine.deps,
        traces,
        traceReaders: new TraceReaders(() => undefined),
        reportingJobs: jobs,
        maskers: new TraceMaskers(engine.deps),
      },
      running,
      {
        contentRange: `0-${text.length - 1}`,
        isDebug: false,
        token,
        body: Readable.from(bodyOf(text, beforeBody)),
      },
    )
  return { engine, watches, traces, jobs, job, token, change, print, append, read, endLease }
}

/** Calls `beforeBody` when the body is read, before its first byte. */
async function* bodyOf(text: string, beforeBody?: () => Promise<unknown>) {
  await beforeBody?.()
  yield Buffer.from(text)
}

function passTime(milliseconds: number): void {
  const now = Date.now() + milliseconds
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}

const FORBIDDEN = { status: 403 }

describeOnEachDatabase('a job whose runner reports', (open, testOnOne) => {
  testOnOne('is read once in ten seconds', async () => {
    const { jobs, job, token, change } = await openScene(open)
    const first = await jobs.authenticate(job.id, token)
    expect(first).toMatchObject({ id: job.id, status: 'running' })
    await change({ token_digest: tokenDigest('another') })
    expect(await jobs.authenticate(job.id, token)).toBe(first)
    passTime(10_001)
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject(FORBIDDEN)
  })

  testOnOne('is not read for ten seconds if it was started here', async () => {
    const { jobs, job, token, change } = await openScene(open)
    jobs.onStarted(job)
    await change({ token_digest: tokenDigest('another') })
    expect(await jobs.authenticate(job.id, token)).toMatchObject({ id: job.id, status: 'running' })
    passTime(10_001)
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject(FORBIDDEN)
  })

  testOnOne('accepts no token but its own', async () => {
    const { jobs, job, token } = await openScene(open)
    for (const other of [undefined, '', 'another', `${token}x`]) {
      await expect(jobs.authenticate(job.id, other)).rejects.toMatchObject(FORBIDDEN)
      await jobs.authenticate(job.id, token)
      await expect(jobs.authenticate(job.id, other)).rejects.toMatchObject(FORBIDDEN)
    }
    await expect(jobs.authenticate(job.id + 1, token)).rejects.toMatchObject(FORBIDDEN)
  })

  testOnOne('is refused as soon as it has ended', async () => {
    const { engine, jobs, job, token } = await openScene(open)
    await jobs.authenticate(job.id, token)
    await finishJob(engine.deps, job, { status: 'success' })
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject({
      ...FORBIDDEN,
      headers: { 'job-status': 'success' },
    })
  })

  testOnOne('is canceling as soon as it was canceled', async () => {
    const { engine, jobs, job, token } = await openScene(open)
    await engine.deps.database.updateTable('job').set({ cancel_gracefully: true }).execute()
    await jobs.authenticate(job.id, token)
    await cancelJob(engine.deps, job)
    expect(await jobs.authenticate(job.id, token)).toMatchObject({ status: 'canceling' })
  })

  test('has its new token as soon as another runner has it', async () => {
    const { jobs, job, token, change } = await openScene(open)
    await jobs.authenticate(job.id, token)
    await change({ token_digest: tokenDigest('another') })
    expect(await jobs.authenticate(job.id, 'another')).toMatchObject({ id: job.id })
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject(FORBIDDEN)
  })

  testOnOne('is read again if it changes while it is read', async () => {
    const { watches, jobs, job, token, change } = await openScene(open)
    const reading = jobs.authenticate(job.id, token)
    watches.notify(job.id)
    await reading
    await change({ token_digest: tokenDigest('another') })
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject(FORBIDDEN)
  })

  test('is read again if notifications may have been lost', async () => {
    const { watches, jobs, job, token, change } = await openScene(open)
    await jobs.authenticate(job.id, token)
    await change({ token_digest: tokenDigest('another') })
    watches.wakeAll()
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject(FORBIDDEN)
  })

  testOnOne('has its lease renewed after a thirtieth of it', async () => {
    const { engine, jobs, job, token } = await openScene(open)
    const expiry = async () =>
      (await engine.deps.database.selectFrom('lease').select('expires_at').executeTakeFirstOrThrow())
        .expires_at
    const report = async () => jobs.recordContact(await jobs.authenticate(job.id, token))
    expect(await report()).toBe(true)
    const first = await expiry()
    passTime(9_000)
    expect(await report()).toBe(true)
    expect(await expiry()).toBe(first)
    passTime(2_000)
    expect(await report()).toBe(true)
    expect(await expiry()).toBeGreaterThan(first)
  })

  testOnOne('whose lease has ended makes no contact', async () => {
    const { watches, jobs, job, token, endLease } = await openScene(open)
    const running = await jobs.authenticate(job.id, token)
    expect(await jobs.recordContact(running)).toBe(true)
    await endLease()
    watches.notify(job.id)
    expect(await jobs.recordContact(running)).toBe(false)
  })

  test('adds nothing to its log once it has returned to the queue, where the next log would begin with it', async () => {
    const { engine, traces, jobs, job, token, append } = await openScene(open)
    const running = await jobs.authenticate(job.id, token)
    engine.deps.notifications.removeAllListeners('runnerConcerned')
    expect(await requeueJob(engine.deps, job.id, token)).toBe(true)
    await expect(append(running, 'printed')).rejects.toMatchObject(FORBIDDEN)
    expect(await traces.size(job)).toBe(0)
  })

  testOnOne('cannot return to the queue once it has begun its log', async () => {
    const { engine, traces, jobs, job, token, append } = await openScene(open)
    expect(await append(await jobs.authenticate(job.id, token), 'printed')).toMatchObject({ status: 202 })
    expect(await requeueJob(engine.deps, job.id, token)).toBe(false)
    expect(await traces.size(job)).toBe(7)
  })

  testOnOne('has the size of its log, also of a part that arrived while it ended', async () => {
    const { engine, jobs, job, token, append, read } = await openScene(open)
    const running = await jobs.authenticate(job.id, token)
    await append(running, 'printed', () => finishJob(engine.deps, job, { status: 'success' }))
    await jobs.stop()
    expect(await read()).toMatchObject({ status: 'success', trace_bytes: 7 })
  })

  testOnOne('shows debug output to developers only, also in reports that follow at once', async () => {
    const { jobs, job, token, read } = await openScene(open)
    await jobs.markDebugTrace(await jobs.authenticate(job.id, token))
    expect(await jobs.authenticate(job.id, token)).toMatchObject({ debug_trace: true })
    expect(await read()).toMatchObject({ debug_trace: true })
  })

  testOnOne(
    'has the size of its log, also of what arrived before this coordinator knew that it had ended',
    async () => {
      const { engine, watches, jobs, job, token, print, read } = await openScene(open)
      engine.deps.notifications.removeAllListeners('runnerConcerned')
      await jobs.authenticate(job.id, token)
      await finishJob(engine.deps, job, { status: 'success' })
      await print('printed late')
      expect(await read()).toMatchObject({ trace_bytes: 0 })
      watches.receive([job.id])
      await jobs.stop()
      expect(await read()).toMatchObject({ trace_bytes: 12 })
    },
  )

  test('has its size from the coordinator that it reported to', async () => {
    const { engine, watches, jobs, job, print, read } = await openScene(open)
    jobs.onStarted(job)
    engine.deps.notifications.removeAllListeners('runnerConcerned')
    await finishJob(engine.deps, job, { status: 'success' })
    await print('printed elsewhere')
    watches.receive([job.id])
    await jobs.stop()
    expect(await read()).toMatchObject({ trace_bytes: 0 })
  })

  test('has that size too if the notification was lost', async () => {
    const { engine, jobs, job, token, print, read } = await openScene(open)
    engine.deps.notifications.removeAllListeners('runnerConcerned')
    await jobs.authenticate(job.id, token)
    await finishJob(engine.deps, job, { status: 'success' })
    await print('printed late')
    passTime(10_001)
    await expect(jobs.authenticate(job.id, token)).rejects.toMatchObject(FORBIDDEN)
    await jobs.stop()
    expect(await read()).toMatchObject({ trace_bytes: 12 })
  })
})
