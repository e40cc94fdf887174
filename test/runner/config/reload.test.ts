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

describe('reloading the settings', () => {
  test('happens when the file changes', async () => {
    const { configure, coordinator } = await daemonUnderTest(
      (url) => configText(url, [{}], 'concurrent = 2'),
      { watches: true },
    )
    await coordinator.until(() => coordinator.openRequests === 1)
    await configure(configText(coordinator.url, [{}, OTHER], 'concurrent = 2'))
    await coordinator.until(() => tokensOf(coordinator).includes('glrt-other-token'))
  })

  test('starts a new registration and keeps the open request of the old one', async () => {
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

  test('stops requests of a removed registration, whose job continues and is adopted when it returns', async () => {
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

  test('deletes a removed registration after its last job', async () => {
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

  test('keeps the settings of a running job; the next job has the new ones', async () => {
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

  test('lowers concurrency without ending jobs, and raises it at once', async () => {
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

  test('reports every problem of invalid settings and keeps the old ones', async () => {
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

  test('changes the log level', async () => {
    const { configure, coordinator, daemon, log } = await daemonUnderTest()
    await configure(configText(coordinator.url, [{}], 'log_level = "error"'))
    await daemon.reload()
    coordinator.offer(jobPayload())
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(log.messages).not.toContain('Job received')
  })

  test('reports settings that require a restart', async () => {
    const { configure, coordinator, daemon, log } = await daemonUnderTest()
    await configure(configText(coordinator.url, [{}], 'listen_address = "127.0.0.1:1"'))
    await daemon.reload()
    expect(log.messages).toContain('A change of listen_address takes effect at the next start')
  })

  test('starts a duplicate registration once', async () => {
    const { coordinator, daemon, log } = await daemonUnderTest((url) =>
      configText(url, [{}, { name: 'again' }]),
    )
    await coordinator.until(() => coordinator.openRequests === 1)
    expect(daemon.runner.entries().map(({ name }) => name)).toEqual(['entry-0'])
    expect(log.messages).toContain('The registration appears twice; the second one has no effect')
  })
})
