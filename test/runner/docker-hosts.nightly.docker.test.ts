import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../src/lib/logger.js'
import type { DockerHost } from '../../src/runner/executor/docker/hosts/host-source.js'
import type { HostView } from '../../src/runner/executor/executor.js'
import { type Runner, startRunner } from '../../src/runner/runner.js'
import { busyboxImage } from '../support/docker-image.js'
import { dockerLeftovers } from '../support/docker-leftovers.js'
import { jobPayload } from '../support/job-payload.js'
import { MACHINE_ENGINE } from '../support/machine-engine.js'
import { MisbehavingCoordinator } from '../support/misbehaving-coordinator.js'
import { runnerRegistration } from '../support/running-runner.js'
import { startSshServer } from '../support/ssh-server.js'
import { tempDir } from '../support/temp-dir.js'
import { openEngineDoor } from './executor/engine-door.js'

const SYSTEM_ID = 's_dockerhosts1'

interface Fleet {
  coordinator: MisbehavingCoordinator
  start(hosts: DockerHost[]): Promise<Runner>
  run(id: number, script?: string): Promise<string>
}

async function openFleet(): Promise<Fleet> {
  const image = await busyboxImage()
  const directory = await tempDir()
  const coordinator = await MisbehavingCoordinator.start()
  onTestFinished(() => coordinator.stop())
  const start = async (dockerHosts: DockerHost[]) => {
    const docker = { image, pullPolicy: ['if-not-present' as const], networkMode: 'none' }
    const settings = {
      concurrent: 10,
      checkIntervalSeconds: 0.05,
      shutdownTimeoutSeconds: 30,
      logLevel: 'info' as const,
      dataDir: join(directory, 'data'),
      systemId: SYSTEM_ID,
      blockMetadataAddresses: false,
      runners: [runnerRegistration(coordinator.url, { executor: 'docker-hosts', docker, dockerHosts })],
    }
    const runner = await startRunner(settings, createLogger('runner', 'silent'))
    onTestFinished(() => runner.stopNow('end of the test'))
    return runner
  }
  const run = async (id: number, script = 'echo hello') => {
    offer(coordinator, id, script)
    await coordinator.until(() => coordinator.finalUpdate(id) !== undefined)
    return `${coordinator.finalUpdate(id)?.state} ${coordinator.trace(id)}`
  }
  return { coordinator, start, run }
}

function offer(coordinator: MisbehavingCoordinator, id: number, script: string): void {
  const variables = [{ key: 'GIT_STRATEGY', value: 'none' }]
  coordinator.offer(
    jobPayload({ id, token: `token-${id}`, variables, steps: [{ name: 'script', script: [script] }] }),
  )
}

function host(name: string, engine: DockerHost['engine'], more: Partial<DockerHost> = {}): DockerHost {
  return { name, engine, concurrent: 1, weight: 1, ...more }
}

async function untilStates(runner: Runner, states: Record<string, HostView['state']>): Promise<void> {
  const now = () =>
    Object.fromEntries((runner.entries()[0]?.hosts ?? []).map(({ name, state }) => [name, state]))
  await expect.poll(now, { interval: 20 }).toEqual(states)
}

function leftovers(): Promise<string[]> {
  return dockerLeftovers([`com.gitlab.gitlab-runner.runner.system_id=${SYSTEM_ID}`])
}

test('jobs of one registration run on a local host and on one behind ssh', async () => {
  const { start, run } = await openFleet()
  const ssh = await startSshServer({ dockerHost: MACHINE_ENGINE })
  const runner = await start([
    host('here', { host: MACHINE_ENGINE }),
    host('there', { host: ssh.host, sshKeyFile: ssh.keyFile }),
  ])
  await untilStates(runner, { here: 'online', there: 'online' })
  const logs = await Promise.all([1, 2, 3, 4].map((id) => run(id, 'seq 3000')))
  const lines = Array.from({ length: 3000 }, (_, index) => `${index + 1}\n`).join('')
  for (const log of logs) expect(log).toContain(lines)
  // The faster host may get more of them.
  const used = new Set(logs.map((log) => /Using the host (\w+)/.exec(log)?.[1]))
  expect([...used].sort()).toEqual(['here', 'there'])
  await runner.stopGracefully()
  expect(await leftovers()).toEqual([])
})

test('a host that is away gets no jobs, and one more when it is back; a runner that restarts finds its jobs', async () => {
  const { coordinator, start, run } = await openFleet()
  const [one, other] = [await openEngineDoor(), await openEngineDoor({ remote: true })]
  const hosts = [
    host('one', { host: one.host }, { concurrent: 2 }),
    host('other', { host: other.host }, { concurrent: 2 }),
  ]
  const runner = await start(hosts)
  await untilStates(runner, { one: 'online', other: 'online' })
  other.shut()
  await untilStates(runner, { one: 'online', other: 'offline' })
  for (const id of [1, 2]) expect(await run(id)).toContain('Using the host one')
  const [, away] = runner.entries()[0]?.hosts ?? []
  expect(away).toMatchObject({ name: 'other', running: 0, concurrent: 2 })
  expect(away?.lastError?.message).toContain('does not respond')
  other.open()
  await untilStates(runner, { one: 'online', other: 'online' })
  expect(await run(3)).toContain('Using the host other')
  for (const id of [4, 5]) offer(coordinator, id, 'echo first; sleep 2; echo last')
  await coordinator.until(() => [4, 5].every((id) => coordinator.trace(id).includes('first')))
  await runner.leave()
  const next = await start(hosts)
  await expect.poll(() => next.entries()[0]?.running).toBe(2)
  await coordinator.until(() => [4, 5].every((id) => coordinator.finalUpdate(id) !== undefined))
  for (const id of [4, 5]) {
    expect(coordinator.finalUpdate(id)?.state, coordinator.trace(id)).toBe('success')
    expect(coordinator.trace(id)).toMatch(/first\nlast\n/)
  }
  await next.stopGracefully()
  // The first runner of this process removes the same containers, too.
  await expect.poll(leftovers).toEqual([])
})
