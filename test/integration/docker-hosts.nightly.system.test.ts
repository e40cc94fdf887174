import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, onTestFinished, test } from 'vitest'

import { type NetworkNamespace, openNetworkNamespace } from '../support/network-namespace.js'
import { canStartEngine, PrivateEngine } from '../support/private-engine.js'
import { type SshServer, startSshServer } from '../support/ssh-server.js'
import { System } from './support/system.js'

/** Seconds: longer than ssh takes to notice that a machine is silent. */
const NETWORK_DOWN = 20
const LINES = 100

const CI_FILE = `
.job:
  retry: {max: 1, when: runner_system_failure}
  script:
    - echo begun
    - i=0; while [ $i -lt ${LINES} ]; do echo "line $i äöü"; i=$((i+1)); sleep 0.2; done
${['one', 'two', 'three', 'four'].map((name) => `${name}: {extends: .job}`).join('\n')}
`
const OUTPUT = Array.from({ length: LINES }, (_, index) => `line ${index} äöü\n`).join('')

interface Fleet {
  system: System
  engines: PrivateEngine[]
  ssh: SshServer
  network: NetworkNamespace
  left(): Promise<string[]>
}

/** A runner with two hosts: one at a socket, one behind ssh in another network. */
async function openFleet(): Promise<Fleet> {
  const system = await System.startInProcess()
  onTestFinished(() => system.stop())
  const engines = [
    await PrivateEngine.start({ hides: system.directory }),
    await PrivateEngine.start({ hides: system.directory }),
  ]
  for (const engine of engines) await engine.take(system.image)
  const [near, far] = engines.map(({ host }) => host)
  const network = await openNetworkNamespace()
  const { namespace, address } = network
  const ssh = await startSshServer({ dockerHost: far ?? '', namespace, address })
  const hosts = [
    { name: 'near', host: near, concurrent: 2 },
    { name: 'far', host: ssh.host, ssh_key_file: ssh.keyFile, concurrent: 2 },
  ]
  await system.startRunner({
    concurrent: 4,
    flags: [
      '--executor',
      'docker-hosts',
      ...hosts.flatMap((host) => ['--docker-hosts', JSON.stringify(host)]),
    ],
  })
  const left = async () => {
    const lists = engines.map(async ({ docker }) => {
      const containers = await docker.listContainers({ all: true })
      const { Volumes: volumes } = await docker.listVolumes()
      return [...containers.map(({ Names }) => Names.join()), ...volumes.map(({ Name }) => Name)]
    })
    return (await Promise.all(lists)).flat()
  }
  return { system, engines, ssh, network, left }
}

/** State and number of jobs by host, as the page of the runner shows them. */
async function shownHosts({ api }: System): Promise<Record<string, string>> {
  const [runner] = await api.json<{ id: number }[]>('GET', '/runners/all')
  const managers = await api.json<{ hosts: HostOnPage[] }[]>('GET', `/runners/${runner?.id}/managers`)
  const hosts = managers.flatMap((manager) => manager.hosts)
  return Object.fromEntries(hosts.map(({ name, state, running }) => [name, `${state} ${running}`]))
}

interface HostOnPage {
  name: string
  state: string
  running: number
}

describe.skipIf(!canStartEngine)('a runner with two Docker hosts', () => {
  test('loses no job and no line when it is killed, and when the network of a host is down', async () => {
    const { system, network, left } = await openFleet()
    const project = await system.createProject()
    const pipeline = await project.pushCi(CI_FILE)
    const jobs = await Promise.all(['one', 'two', 'three', 'four'].map((name) => project.job(pipeline, name)))
    for (const job of jobs) await project.traceContaining(job, '\nbegun\n')
    // The runner is full, and requests no job that could say so.
    await expect.poll(() => shownHosts(system)).toEqual({ near: 'online 2', far: 'online 2' })
    await system.stopRunner('SIGKILL')
    await system.restartRunner()
    await sleep(2000) // the jobs are adopted at some moment
    await network.set('down')
    await sleep(NETWORK_DOWN * 1000)
    // The jobs of the other host may have ended.
    await expect.poll(async () => (await shownHosts(system))['far']).toBe('offline 2')
    await network.set('up')
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    const logs = await Promise.all(jobs.map((job) => project.trace(job)))
    for (const log of logs) expect([...log.matchAll(/^line .*\n/gm)].join('')).toBe(OUTPUT)
    expect(logs.filter((log) => log.includes('Using the host far'))).toHaveLength(2)
    await system.stopRunner('SIGQUIT')
    expect(await left()).toEqual([])
  })

  test('retries the jobs of a host that does not come back, and cleans the host when it does', async () => {
    const { system, ssh, left } = await openFleet()
    const project = await system.createProject()
    const pipeline = await project.pushCi(CI_FILE)
    const names = ['one', 'two', 'three', 'four']
    const jobs = await Promise.all(names.map((name) => project.job(pipeline, name)))
    for (const job of jobs) await project.traceContaining(job, '\nbegun\n')
    const isFar = async (job: (typeof jobs)[number]) =>
      (await project.trace(job)).includes('Using the host far')
    const far = (await Promise.all(jobs.map(async (job) => ((await isFar(job)) ? [job] : [])))).flat()
    expect(far).toHaveLength(2)
    await ssh.kill()
    for (const job of far) await project.traceContaining(job, 'On the host "far": ')
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    await ssh.start()
    await expect.poll(left, { interval: 500 }).toEqual([])
    await system.stopRunner('SIGQUIT')
  })
})
