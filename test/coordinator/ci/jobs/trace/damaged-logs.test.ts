import { appendFile, rm, truncate } from 'node:fs/promises'

import { expect, onTestFinished, test, vi } from 'vitest'

import {
  logFailureForOthers,
  outputForChat,
} from '../../../../../src/coordinator/start/services/log-excerpts.js'
import { openForFile } from '../../../../support/lifetime.js'
import { openLogScene, startLog } from './running-job.js'

const scene = openForFile(openLogScene)

/** A job that has ended with a log of ten lines of 4 bytes, and the file of the log. */
async function endedLog() {
  const { coordinator } = scene()
  const log = await startLog(scene())
  await log.print('abc\n'.repeat(10))
  await log.finish()
  const { traces, project, logger } = coordinator
  const file = traces.files({ id: log.job.id, project_id: project.id }).log
  const warn = vi.spyOn(logger, 'warn')
  onTestFinished(() => warn.mockRestore())
  const warnings = () => warn.mock.calls.map((call: unknown[]) => String(call[1]))
  return { ...log, file, warnings }
}

test.each([
  ['lost', (file: string) => rm(file), 0],
  ['cut', (file: string) => truncate(file, 12), 12],
])(
  'a log that is %s is an error that says how much is there, and is logged once',
  async (_, damage, there) => {
    const { read, json, file, warnings, job } = await endedLog()
    await damage(file)
    const sentence = `The log of this job is damaged: ${there} of 40 bytes are there.`
    for (let time = 1; time <= 2; time++) {
      const whole = await read('')
      expect([whole.statusCode, whole.body]).toEqual([500, expect.stringContaining(sentence)])
      const missing = { bytes: there, missing_bytes: 40 - there, is_complete: true }
      expect(await json('/outline')).toMatchObject(missing)
      expect(await json('/lines')).toMatchObject(missing)
    }
    expect(warnings().filter((message) => message.includes(`job ${job.id} is damaged`))).toHaveLength(1)
  },
)

test.each([
  ['lost', (file: string) => rm(file), 0, ''],
  ['cut', (file: string) => truncate(file, 12), 12, 'abc\nabc\nabc\n'],
])(
  'a search in a log that is %s, the failures of the pipeline, mails and chats say how much is missing',
  async (_, damage, there, text) => {
    const { coordinator, reporter } = scene()
    const { database, logger, project, app, traceIndexes } = coordinator
    const log = await startLog(scene())
    await log.print('abc\n'.repeat(10))
    await log.finish('failed')
    await damage(coordinator.traces.files({ id: log.job.id, project_id: project.id }).log)
    const found = (await log.read('/search?q=abc')).body.trimEnd().split('\n')
    expect(JSON.parse(found.at(-1) ?? '')).toMatchObject({
      hits: there / 4,
      done: true,
      missing_bytes: 40 - there,
    })
    const { pipeline_id } = await database
      .selectFrom('job')
      .select('pipeline_id')
      .where('id', '=', log.job.id)
      .executeTakeFirstOrThrow()
    const failures = await app.call(reporter, `GET /projects/${project.id}/pipelines/${pipeline_id}/failures`)
    expect(failures.json()).toMatchObject([{ missing_bytes: 40 - there }])
    const line = `[The log is damaged: the last ${40 - there} bytes are missing]`
    const failure = await logFailureForOthers({ database, logger, traceIndexes })(log.job.id)
    expect(failure).toBe(`${text}${line}`)
    const job = { id: log.job.id, project_id: project.id, debug_trace: false, erased_at: null }
    expect(await outputForChat({ database, logger, traceIndexes })(job)).toContain(line)
  },
)

test('a log that got a late patch, or that was erased, is not damaged', async () => {
  const { read, json, job, file } = await endedLog()
  await appendFile(file, 'late')
  const whole = await read('')
  expect([whole.statusCode, whole.body.length]).toEqual([200, 44])
  expect(await json('/outline')).toMatchObject({ bytes: 44, missing_bytes: 0 })
  const { coordinator } = scene()
  await coordinator.app.call(
    coordinator.admin,
    `POST /projects/${coordinator.project.id}/jobs/${job.id}/erase`,
  )
  expect((await read('')).statusCode).toBe(404)
})
