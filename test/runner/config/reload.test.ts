import { writeFile } from 'node:fs/promises'

import { describe, expect, test } from 'vitest'

import { jobPayload } from '../../support/job-payload.js'
import type { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { configText, daemonUnderTest } from '../../support/running-daemon.js'

const waitFor = (file: string) => [
  { name: 'script', script: [`while [ ! -e ${file} ]; do sleep 0.05; done`, 'echo "V=$V"'] },
]

function tokensOf(coordinator: MisbehavingCoordinator): string[] {
  return coordinator
    .callsOf('request')
    .map((call) => (JSON.parse(call.body.toString()) as { token: string }).token)
}

const OTHER = { name: 'other', token: 'glrt-other-token' }

describe('settings that change while the runner works', () => {
  test('are noticed by themselves', async () => {
    const { configure, coordinator } = await daemonUnderTest(
      (url) => configText(url, [{}], 'concurrent = 2'),
      { watches: true },
    )
    await coordinator.until(() => coordinator.openRequests === 1)
    await configure(configText(coordinator.url, [{}, OTHER], 'concurrent = 2'))
    await coordinator.until(() => tokensOf(coordinator).includes('glrt-other-token'))
  })

  test('a new entry begins, and the open request of the old one stays open', async () => {
    const { configure, coordinator, daemon } = await daemonUnderTest((url) =>
      configText(url, [{}], 'concurrent = 2'),
    )
    await coordinator.until(() => coordinator.openRequests === 1)
    const before = coordinator.callsOf('request').length
    await configure(configText(coordinator.url, [{}, OTHER], 'concurrent = 2'))
    await daemon.reload()
    await coordinator.until(() => coordinator.openRequests === 2)
    expect(tokensOf(coordinator).slice(before)).toEqual(['glrt-other-token', 'glrt-other-token'])
  })

  test('an entry that is removed asks no more while its job runs on, and finds it when it comes back', async () => {
    const { configure, coordinator, daemon, directory, executor } = await daemonUnderTest((url) =>
      configText(url, [{}], 'concurrent = 2'),
    )
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.openRequests === 1,
    )
    await configure('concurrent = 2')
    await daemon.reload()
    await coordinator.until(() => coordinator.openRequests === 0)
    expect(daemon.runner.entries()).toMatchObject([{ state: 'removed', running: 1 }])
    await configure(configText(coordinator.url, [{}], 'concurrent = 2'))
    await daemon.reload()
    coordinator.offer(jobPayload({ id: 125 }))
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    // Not number 0 again: the job that still runs has it.
    expect(executor.jobs.map((job) => [job.jobId, job.concurrentProjectId])).toEqual([
      [124, 0],
      [125, 1],
    ])
    await writeFile(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
  })

  test('an entry that is removed is forgotten when its last job has ended', async () => {
    const { configure, coordinator, daemon, directory } = await daemonUnderTest()
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    await configure('')
    await daemon.reload()
    const ended = daemon.runner.nextJobEnd()
    await writeFile(`${directory}/go`, '')
    await ended
    await expect.poll(() => daemon.runner.entries()).toEqual([])
  })

  test('a running job keeps what it began with; the next one has the new settings', async () => {
    const entry = (value: string) => ({ environment: [`V=${value}`] })
    const { configure, coordinator, daemon, directory } = await daemonUnderTest((url) =>
      configText(url, [entry('old')], 'concurrent = 2'),
    )
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.openRequests === 1,
    )
    await configure(configText(coordinator.url, [entry('new')], 'concurrent = 2'))
    await daemon.reload()
    coordinator.offer(jobPayload({ id: 125, steps: waitFor(`${directory}/go`) }))
    await coordinator.until(() => coordinator.trace(125).includes('$ while'))
    await writeFile(`${directory}/go`, '')
    await coordinator.until(
      () => coordinator.finalUpdate(124) !== undefined && coordinator.finalUpdate(125) !== undefined,
    )
    expect(coordinator.trace(124)).toContain('\nV=old\n')
    expect(coordinator.trace(125)).toContain('\nV=new\n')
  })

  test('fewer jobs at a time end none of those that run; more begin at once', async () => {
    const { configure, coordinator, daemon, directory } = await daemonUnderTest((url) =>
      configText(url, [{}], 'concurrent = 2'),
    )
    const steps = waitFor(`${directory}/go`)
    coordinator.offer(jobPayload({ steps }), jobPayload({ id: 125, steps }))
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.trace(125).includes('$ while'),
    )
    await configure(configText(coordinator.url, [{}], 'concurrent = 1'))
    await daemon.reload()
    expect(daemon.runner.concurrent).toBe(1)
    expect(daemon.runner.jobs()).toHaveLength(2)
    await configure(configText(coordinator.url, [{}], 'concurrent = 3'))
    await daemon.reload()
    coordinator.offer(jobPayload({ id: 126, steps }))
    await coordinator.until(() => coordinator.trace(126).includes('$ while'))
    await writeFile(`${directory}/go`, '')
    await coordinator.until(() => [124, 125, 126].every((id) => coordinator.finalUpdate(id) !== undefined))
  })

  test('that cannot be used are reported with every problem, and the old ones stay', async () => {
    const { configure, coordinator, daemon, log } = await daemonUnderTest()
    await coordinator.until(() => coordinator.openRequests === 1)
    await configure('concurrent = 0\nlog_level = "loud"')
    await daemon.reload()
    expect(log.messages).toEqual(
      expect.arrayContaining([
        'concurrent must be a whole number of at least 1',
        expect.stringMatching(/^log_level must be one of/),
        'The new settings are invalid; the current ones stay in effect',
      ]),
    )
    coordinator.offer(jobPayload())
    await coordinator.until(() => coordinator.finalUpdate(124)?.state === 'success')
  })

  test('the level of the log changes with them', async () => {
    const { configure, coordinator, daemon, log } = await daemonUnderTest()
    await configure(configText(coordinator.url, [{}], 'log_level = "error"'))
    await daemon.reload()
    coordinator.offer(jobPayload())
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(log.messages).not.toContain('Job received')
  })

  test('what is settled at the start is said to wait for the next one', async () => {
    const { configure, coordinator, daemon, log } = await daemonUnderTest()
    await configure(configText(coordinator.url, [{}], 'listen_address = "127.0.0.1:1"'))
    await daemon.reload()
    expect(log.messages).toContain('A change of listen_address takes effect at the next start')
  })

  test('an entry that stands there twice works once', async () => {
    const { coordinator, daemon, log } = await daemonUnderTest((url) =>
      configText(url, [{}, { name: 'again' }]),
    )
    await coordinator.until(() => coordinator.openRequests === 1)
    expect(daemon.runner.entries().map(({ name }) => name)).toEqual(['entry-0'])
    expect(log.messages).toContain('The registration appears twice; the second one has no effect')
  })
})
