import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeEach, describe, expect, test, vi } from 'vitest'

import { JobControl } from '../../../src/runner/job/job-control.js'
import { openMachine } from './stages/cached-jobs.js'

describe('the files of a canceled job', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    return () => vi.useRealTimers()
  })

  test('are read for ten seconds after its scripts, whenever it is canceled', () => {
    const [early, late] = [new JobControl(), new JobControl()]
    early.stop({ kind: 'canceled' })
    vi.advanceTimersByTime(60_000)
    early.beginFiles()
    late.beginFiles()
    vi.advanceTimersByTime(60_000 - 1)
    late.stop({ kind: 'canceled' })
    expect([early.files.aborted, late.files.aborted]).toEqual([true, false])
    vi.advanceTimersByTime(10_000 - 1)
    expect(late.files.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(late.files.aborted).toBe(true)
    expect([early.whole.aborted, late.whole.aborted]).toEqual([false, false])
  })

  test('are read in whole after a timeout of the script, and not at all after the end of the job', () => {
    const control = new JobControl()
    control.stop({ kind: 'script-timeout', seconds: 1 })
    control.beginFiles()
    vi.advanceTimersByTime(3_600_000)
    expect(control.files.aborted).toBe(false)
    control.stop({ kind: 'aborted' })
    expect(control.files.aborted).toBe(true)
  })

  test('keep no slot: a cache with a sparse file ends, and no cache is saved', async () => {
    const machine = await openMachine()
    const job = await machine.job({ cache: [{ key: 'k', paths: ['disk'], when: 'always' }] })
    await writeFile(join(job.work, 'disk'), '')
    await truncate(join(job.work, 'disk'), 90 * 1024 ** 3)
    job.control.beginFiles()
    const saving = job.save()
    job.control.stop({ kind: 'canceled' })
    vi.advanceTimersByTime(10_000)
    await expect(saving).rejects.toThrow('canceled')
    const next = await machine.job({ cache: [{ key: 'k', paths: ['disk'] }] })
    expect((await next.restore()).log).toContain('There is no cache with this key')
  })
})

test('a cache of more than an archive may hold is not saved, and the log names the file', async () => {
  const machine = await openMachine()
  const job = await machine.job({ cache: [{ key: 'k', paths: ['disk'] }] })
  await writeFile(join(job.work, 'disk'), '')
  await truncate(join(job.work, 'disk'), 15 * 1024 ** 4)
  const { kind, log } = await job.save()
  expect(kind).toBe('success')
  expect(log).toContain('The files have more than 100 GiB, the most that an archive may hold, with "disk"')
})
