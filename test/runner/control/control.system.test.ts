import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { ControlClient } from '../../../src/runner/control/control-client.js'
import { lockDataDir } from '../../../src/runner/control/data-dir-lock.js'
import { jobPayload } from '../../support/job-payload.js'
import { configText, daemonUnderTest } from '../../support/running-daemon.js'
import { tempDir } from '../../support/temp-dir.js'

const waitFor = (file: string) => [
  { name: 'script', script: [`while [ ! -e ${file} ]; do sleep 0.05; done`] },
]

function clientOf(dataDir: string): ControlClient {
  const client = new ControlClient(join(dataDir, 'control.sock'))
  onTestFinished(() => client.close())
  return client
}

const twoEntries = (url: string) =>
  configText(
    url,
    [
      { name: 'red', limit: 1 },
      { name: 'blue', token: 'glrt-other-token' },
    ],
    'concurrent = 3',
  )

describe('runner control commands', () => {
  test('status shows version, registrations and their state', async () => {
    const { dataDir, coordinator } = await daemonUnderTest(twoEntries)
    await coordinator.until(() => coordinator.openRequests === 2)
    const status = await clientOf(dataDir).status()
    expect(status).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
      pid: process.pid,
      state: 'running',
      running: 0,
      concurrent: 3,
      entries: [
        { name: 'red', url: coordinator.url, token: 'runner-to', state: 'polling', running: 0, limit: 1 },
        { name: 'blue', state: 'polling' },
      ],
    })
    expect(JSON.stringify(status)).not.toContain('runner-token')
  })

  test('jobs shows the stage and origin of each job', async () => {
    const { dataDir, coordinator, directory } = await daemonUnderTest()
    const variables = [{ key: 'CI_JOB_URL', value: 'http://ci.example/app/-/jobs/124' }]
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`), variables }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    const { jobs } = await clientOf(dataDir).jobs()
    expect(jobs).toMatchObject([
      {
        id: 124,
        project: 'app',
        url: 'http://ci.example/app/-/jobs/124',
        runner: 'entry-0',
        state: 'running',
        stage: 'step_script',
        durationSeconds: expect.any(Number) as number,
      },
    ])
    await writeFile(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
  })

  test('the control socket is accessible to its owner only', async () => {
    const { dataDir } = await daemonUnderTest()
    expect((await stat(join(dataDir, 'control.sock'))).mode & 0o777).toBe(0o600)
  })

  test('a missing daemon is reported', async () => {
    const client = clientOf(await tempDir())
    await expect(client.status()).rejects.toThrow(/No runner responds at .*control\.sock/)
  })
})

describe('pausing a runner', () => {
  test('aborts the open request, lets running jobs continue, and lasts until resume', async () => {
    const { dataDir, coordinator, directory } = await daemonUnderTest((url) =>
      configText(url, [{}], 'concurrent = 2'),
    )
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.openRequests === 1,
    )
    const client = clientOf(dataDir)
    expect(await client.pause({})).toMatchObject({
      state: 'paused',
      entries: [{ state: 'paused', running: 1 }],
    })
    await coordinator.until(() => coordinator.openRequests === 0)
    coordinator.offer(jobPayload({ id: 125 }))
    await writeFile(`${directory}/go`, '')
    await coordinator.until(() => coordinator.finalUpdate(124) !== undefined)
    expect(coordinator.finalUpdate(125)).toBeUndefined()
    expect(await client.resume({})).toMatchObject({ state: 'running', entries: [{ state: 'polling' }] })
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
  })

  test('of one registration does not affect the others', async () => {
    const { dataDir, coordinator } = await daemonUnderTest(twoEntries)
    await coordinator.until(() => coordinator.openRequests === 2)
    const { entries } = await clientOf(dataDir).pause({ runner: 'red' })
    expect(entries.map(({ state }) => state)).toEqual(['paused', 'polling'])
    await coordinator.until(() => coordinator.openRequests === 1)
  })

  test('survives a restart of the daemon', async () => {
    const first = await daemonUnderTest(twoEntries)
    await clientOf(first.dataDir).pause({ runner: 'blue' })
    await first.daemon.runner.stopGracefully()
    await first.daemon.finished
    const { coordinator, directory } = first
    const second = await daemonUnderTest(twoEntries, { directory, coordinator })
    const { entries } = await clientOf(second.dataDir).status()
    expect(entries.map(({ state }) => state)).toEqual(['polling', 'paused'])
  })

  test('rejects unknown registrations and lists the known ones', async () => {
    const { dataDir } = await daemonUnderTest(twoEntries)
    await expect(clientOf(dataDir).pause({ runner: 'green' })).rejects.toThrow(
      'There is no registration "green"; known: "red", "blue"',
    )
  })

  test('of all registrations prevents resuming one', async () => {
    const { dataDir } = await daemonUnderTest(twoEntries)
    const client = clientOf(dataDir)
    await client.pause({})
    await expect(client.resume({ runner: 'red' })).rejects.toThrow('resume without --runner')
  })
})

describe('draining a runner', () => {
  test('reports the number of running jobs until the last has ended, then the daemon exits', async () => {
    const { dataDir, coordinator, directory, daemon } = await daemonUnderTest((url) =>
      configText(url, [{}], 'concurrent = 2'),
    )
    coordinator.offer(
      jobPayload({ steps: waitFor(`${directory}/one`) }),
      jobPayload({ id: 125, steps: waitFor(`${directory}/two`) }),
    )
    await coordinator.until(
      () => coordinator.trace(124).includes('$ while') && coordinator.trace(125).includes('$ while'),
    )
    const messages = clientOf(dataDir).drain()
    expect((await messages.next()).value).toEqual({ running: 2, stopped: false })
    await writeFile(`${directory}/one`, '')
    expect((await messages.next()).value).toEqual({ running: 1, stopped: false })
    await writeFile(`${directory}/two`, '')
    const rest = []
    for await (const message of messages) rest.push(message)
    expect(rest.at(-1)).toEqual({ running: 0, stopped: true })
    await daemon.finished
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
    expect(coordinator.finalUpdate(125)?.state).toBe('success')
  })

  test('continues when the client disconnects', async () => {
    const { dataDir, coordinator, directory, daemon } = await daemonUnderTest()
    coordinator.offer(jobPayload({ steps: waitFor(`${directory}/go`) }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    const client = clientOf(dataDir)
    await client.drain().next()
    await client.close()
    await writeFile(`${directory}/go`, '')
    await daemon.finished
    expect(coordinator.finalUpdate(124)?.state).toBe('success')
  })
})

describe('data directory lock', () => {
  test('a second daemon does not start and reports the remedy', async () => {
    const { directory, coordinator } = await daemonUnderTest()
    await expect(daemonUnderTest(undefined, { directory, coordinator })).rejects.toThrow(
      /Another runner uses .*data\. Stop it first/,
    )
    await coordinator.until(() => coordinator.openRequests === 1)
  })

  test('exactly one of many concurrent daemons gets the lock', async () => {
    const directory = await tempDir()
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(directory)))
    const locks = tries.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    expect(locks).toHaveLength(1)
    await locks[0]?.release()
    await (await lockDataDir(directory)).release()
  })

  test('the lock of a killed daemon is released and its socket replaced', async () => {
    const directory = await tempDir()
    const dataDir = join(directory, 'data')
    // A process that holds what a daemon holds, and gets no chance to give it back.
    const script = `
      const { createServer } = require('node:net'), { mkdirSync, statSync } = require('node:fs')
      mkdirSync(${JSON.stringify(dataDir)})
      const { dev, ino } = statSync(${JSON.stringify(dataDir)})
      createServer().listen('\\0switchyard-runner-' + dev + '-' + ino, () =>
        createServer().listen(${JSON.stringify(join(dataDir, 'control.sock'))}, () => console.log('here')))`
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void holder.kill('SIGKILL'))
    await once(holder.stdout, 'data')
    await expect(daemonUnderTest(undefined, { directory })).rejects.toThrow('Another runner uses')
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    await daemonUnderTest(undefined, { directory })
    expect((await clientOf(dataDir).status()).state).toBe('running')
  })

  test('a daemon in another container is found by its socket', async () => {
    const directory = await tempDir()
    const dataDir = join(directory, 'data')
    await (await lockDataDir(dataDir)).release()
    const other = createServer().listen(join(dataDir, 'control.sock'))
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    await expect(daemonUnderTest(undefined, { directory })).rejects.toThrow('Another runner uses')
  })

  test('a socket path that is too long is reported in one sentence', async () => {
    const controlSocket = `/tmp/${'x'.repeat(120)}/control.sock`
    await expect(daemonUnderTest(undefined, { overrides: { controlSocket } })).rejects.toThrow(
      'Set control_socket to a path of up to 107 bytes',
    )
  })
})
