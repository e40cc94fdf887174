import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { DockerHost } from '../../../../src/runner/executor/docker/hosts/host-source.js'
import type { EngineSettings } from '../../../../src/runner/executor/docker/settings.js'
import type { HostView } from '../../../../src/runner/executor/executor.js'
import { startRunner } from '../../../../src/runner/runner.js'
import { leftAt } from '../../../integration/support/killed-fleets.js'
import { makeCertificates, signCertificate } from '../../../support/certificates.js'
import { busyboxImage } from '../../../support/docker-image.js'
import { jobPayload } from '../../../support/job-payload.js'
import { onFinished } from '../../../support/lifetime.js'
import { MisbehavingCoordinator } from '../../../support/misbehaving-coordinator.js'
import { type NetworkNamespace, openNetworkNamespace } from '../../../support/network-namespace.js'
import { canStartEngine, PrivateEngine } from '../../../support/private-engine.js'
import { runnerRegistration } from '../../../support/running-runner.js'
import { type SshServer, startSshServer } from '../../../support/ssh-server.js'
import { tempDir } from '../../../support/temp-dir.js'

const MEGABYTE = 1024 * 1024
/** Seconds: shorter than a fault, for jobs that are to fail, and longer, for those that continue. */
const IMPATIENT = 4
const PATIENT = 120
const LINES = Array.from({ length: 100 }, (_, line) => `line ${line} äöü\n`).join('')
const PRINT_FOR_20_SECONDS =
  'echo begun; i=0; while [ $i -lt 100 ]; do echo "line $i äöü"; i=$((i+1)); sleep 0.2; done'

/** The machine that fails, and what leads to it. */
interface Machine {
  engine: PrivateEngine
  network: NetworkNamespace
  ssh: SshServer | undefined
  certificates: string
}

interface Fault {
  way: 'socket' | 'tls' | 'ssh'
  /** Seconds that its jobs wait for it. */
  patience: number
  strike(machine: Machine): Promise<void>
  mend(machine: Machine): Promise<void>
  /** What becomes of a job that runs there: it continues to its end, or its log says why it failed. */
  running: 'continues' | RegExp
  /** Of the host while the fault lasts, and its last error. */
  state: HostView['state']
  lastError: RegExp
  /** The log of a job that begins there during the fault, for one that leaves the host online. */
  next?: { reason: string; log: RegExp }
  bytes?: number
  isWithoutImage?: boolean
}

const AWAY = /On the host "bad": The engine has not responded for \d+ seconds/

const FAULTS: Record<string, Fault> = {
  'its disk is full': {
    way: 'socket',
    patience: PATIENT,
    bytes: 48 * MEGABYTE,
    strike: async ({ engine }) => {
      const fill = writeFile(engine.inside('fill'), Buffer.alloc(64 * MEGABYTE, 1))
      await expect(fill).rejects.toMatchObject({ code: 'ENOSPC' })
    },
    mend: ({ engine }) => rm(engine.inside('fill')),
    running: 'continues',
    state: 'online',
    lastError: /no space left on device/,
    next: { reason: 'runner_system_failure', log: /On the host "bad": .*no space left on device/ },
  },
  'its engine hangs for a while': {
    way: 'socket',
    patience: PATIENT,
    strike: async ({ engine }) => engine.freeze('SIGSTOP'),
    mend: async ({ engine }) => engine.freeze('SIGCONT'),
    running: 'continues',
    state: 'offline',
    lastError: /does not respond in time/,
  },
  'its engine hangs for longer than its jobs wait': {
    way: 'tls',
    patience: IMPATIENT,
    strike: async ({ engine }) => engine.freeze('SIGSTOP'),
    mend: async ({ engine }) => engine.freeze('SIGCONT'),
    running: AWAY,
    state: 'offline',
    lastError: /does not respond in time/,
  },
  'its engine restarts': {
    way: 'tls',
    patience: PATIENT,
    strike: ({ engine }) => engine.kill(),
    mend: ({ engine }) => engine.start(),
    running: /On the host "bad": The Docker engine was restarted and ended the container of the job/,
    state: 'offline',
    lastError: /does not respond while being pinged/,
  },
  'its machine restarts, and its containers are gone': {
    way: 'ssh',
    patience: PATIENT,
    strike: async ({ engine, ssh }) => {
      const containers = await engine.docker.listContainers()
      const pids = await Promise.all(
        containers.map(async ({ Id }) => (await engine.docker.getContainer(Id).inspect()).State.Pid),
      )
      await ssh?.kill()
      await engine.kill()
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await rm(engine.onDisk('containers'), { recursive: true })
    },
    mend: async ({ engine, ssh }) => {
      await engine.start()
      await ssh?.start()
    },
    running: /On the host "bad": .*container of the job was removed/,
    state: 'offline',
    lastError: /Connection refused/,
  },
  'its network is lost for a while, by ssh': {
    way: 'ssh',
    patience: PATIENT,
    strike: ({ network }) => network.set('down'),
    mend: ({ network }) => network.set('up'),
    running: 'continues',
    state: 'offline',
    lastError: /does not respond|cannot be reached/,
  },
  'its network is lost for a while, by TLS': {
    way: 'tls',
    patience: PATIENT,
    strike: ({ network }) => network.set('down'),
    mend: ({ network }) => network.set('up'),
    running: 'continues',
    state: 'offline',
    lastError: /does not respond/,
  },
  'its network is lost for longer than its jobs wait, by ssh': {
    way: 'ssh',
    patience: IMPATIENT,
    strike: ({ network }) => network.set('down'),
    mend: ({ network }) => network.set('up'),
    running: AWAY,
    state: 'offline',
    lastError: /does not respond|cannot be reached/,
  },
  'its network is lost for longer than its jobs wait, by TLS': {
    way: 'tls',
    patience: IMPATIENT,
    strike: ({ network }) => network.set('down'),
    mend: ({ network }) => network.set('up'),
    running: AWAY,
    state: 'offline',
    lastError: /does not respond/,
  },
  'it refuses the key of the runner': {
    way: 'ssh',
    patience: IMPATIENT,
    strike: async ({ ssh }) => {
      await truncate(join(dirname(ssh?.keyFile ?? ''), 'authorized_keys'))
      await ssh?.kill()
      await ssh?.start()
    },
    mend: async ({ ssh }) => {
      const folder = dirname(ssh?.keyFile ?? '')
      await writeFile(join(folder, 'authorized_keys'), await readFile(join(folder, 'key.pub')))
    },
    running: /On the host "bad": .*denies the login/,
    state: 'offline',
    lastError: /denies the login\. Check the key/,
  },
  'its host key is another one': {
    way: 'ssh',
    patience: IMPATIENT,
    strike: async ({ ssh }) => {
      const known = await readFile(ssh?.knownHosts ?? '', 'utf8')
      const other = (await readFile(`${ssh?.keyFile}.pub`, 'utf8')).split(' ')[1] ?? ''
      await writeFile(`${ssh?.knownHosts}.before`, known)
      await writeFile(ssh?.knownHosts ?? '', known.replace(/\S+\n$/, `${other}\n`))
      await ssh?.kill()
      await ssh?.start()
    },
    mend: async ({ ssh }) =>
      writeFile(ssh?.knownHosts ?? '', await readFile(`${ssh?.knownHosts}.before`, 'utf8')),
    running: /On the host "bad": .*host key of 10\.213\.\d+\.\d+ is not the one in known_hosts/,
    state: 'offline',
    lastError: /is not the one in known_hosts\. If the machine was installed again, remove the old key/,
  },
  'its certificate has expired': {
    way: 'tls',
    patience: IMPATIENT,
    strike: async ({ engine, network, certificates }) => {
      await engine.kill()
      await signCertificate(certificates, network.address, -1)
      await engine.start()
    },
    mend: async ({ engine, network, certificates }) => {
      await engine.kill()
      await signCertificate(certificates, network.address)
      await engine.start()
    },
    running: AWAY,
    state: 'offline',
    lastError: /certificate has expired/,
  },
  'it cannot pull the image': {
    way: 'socket',
    patience: PATIENT,
    isWithoutImage: true,
    strike: async () => {},
    mend: async ({ engine }) => engine.take(await busyboxImage()),
    running: 'continues',
    state: 'online',
    lastError: /dial tcp|no such host|i\/o timeout|connection refused/,
    next: { reason: 'runner_external_dependency_failure', log: /On the host "bad": .*pull/i },
  },
}

describe.skipIf(!canStartEngine)('a host of which', () => {
  test.each(Object.entries(FAULTS))('%s', async (_name, fault) => {
    const { runner, coordinator, machine, good, offer, ended, view, onBad } = await openFleet(fault)
    const isUsed = fault.isWithoutImage !== true
    let mending: Promise<void> | undefined
    const mend = () => (mending ??= fault.mend(machine))
    if (isUsed) {
      const isShort = fault.running === 'continues'
      offer([1, 2], isShort ? PRINT_FOR_20_SECONDS : 'echo begun; sleep 1000')
      await coordinator.until(() => [1, 2].every((id) => coordinator.trace(id).includes('\nbegun\n')))
    }
    await fault.strike(machine)
    await expect.poll(() => view()?.state, { interval: 50 }).toBe(fault.state)
    const lastError = () => view()?.lastError?.message ?? ''
    if (fault.state === 'offline') await expect.poll(lastError, { interval: 50 }).toMatch(fault.lastError)
    if (fault.next) {
      offer([3, 4], 'echo hello')
      await ended(3, 4)
      const [there] = [3, 4].filter(onBad)
      const update = coordinator.finalUpdate(there ?? 0)
      expect(update, coordinator.trace(there ?? 0)).toMatchObject({
        state: 'failed',
        failure_reason: fault.next.reason,
      })
      expect(coordinator.trace(there ?? 0)).toMatch(fault.next.log)
      expect(lastError()).toMatch(fault.lastError)
    }
    // Others have room, so they get the next jobs.
    offer([5], 'echo hello')
    await ended(5)
    expect(coordinator.finalUpdate(5)?.state, coordinator.trace(5)).toBe('success')
    expect(onBad(5)).toBe(false)
    if (isUsed) await expectEnd(fault)
    await mend()
    await expect.poll(() => view()?.state, { interval: 50 }).toBe('online')
    // More than the other host has room for.
    offer([6, 7, 8], 'echo hello; sleep 3')
    await ended(6, 7, 8)
    for (const id of [6, 7, 8])
      expect(coordinator.finalUpdate(id)?.state, coordinator.trace(id)).toBe('success')
    expect([6, 7, 8].filter(onBad)).not.toEqual([])
    await runner.stopNow('end of the test')
    for (const { docker } of [machine.engine, good])
      await expect.poll(() => leftAt(docker), { interval: 200 }).toEqual([])

    async function expectEnd({ running }: Fault): Promise<void> {
      const [there = 0] = [1, 2].filter(onBad)
      if (running === 'continues') {
        await sleep(3000) // the fault lasts
        await mend()
        await ended(1, 2)
        for (const id of [1, 2]) {
          expect(coordinator.finalUpdate(id)?.state, coordinator.trace(id)).toBe('success')
          expect(coordinator.trace(id)).toContain(`begun\n${LINES}`)
        }
        return
      }
      // An engine that is back says what became of the container.
      if (fault.patience === PATIENT) await mend()
      await ended(there)
      expect(coordinator.finalUpdate(there), coordinator.trace(there)).toMatchObject({
        state: 'failed',
        failure_reason: 'runner_system_failure',
      })
      expect(coordinator.trace(there)).toMatch(running)
      // The job of the other host still runs.
      const [elsewhere = 0] = [1, 2].filter((id) => id !== there)
      expect(coordinator.finalUpdate(elsewhere), coordinator.trace(elsewhere)).toBeUndefined()
      coordinator.signal(elsewhere, 'canceled')
      coordinator.jobStatus.set(elsewhere, 'canceled')
      await expect
        .poll(() => runner.entries()[0]?.hosts?.find(({ name }) => name === 'good')?.running, {
          interval: 50,
        })
        .toBe(0)
    }
  })
})

/** A runner with a host that fails and one that does not. */
async function openFleet({ way, patience, bytes, isWithoutImage }: Fault) {
  const image = await busyboxImage()
  const directory = await tempDir()
  const coordinator = await MisbehavingCoordinator.start()
  onFinished(() => coordinator.stop())
  const network = await openNetworkNamespace()
  const { namespace, address } = network
  const certificates = await makeCertificates(address)
  const good = await PrivateEngine.start({ hides: directory })
  const engine = await PrivateEngine.start({
    hides: directory,
    namespace,
    ...(bytes === undefined ? {} : { bytes }),
    ...(way === 'tls' ? { tls: { address, folder: certificates } } : {}),
  })
  await good.take(image)
  if (!isWithoutImage) await engine.take(image)
  const ssh =
    way === 'ssh' ? await startSshServer({ dockerHost: engine.host, namespace, address }) : undefined
  const machine: Machine = { engine, network, ssh, certificates }
  const settings: Record<Fault['way'], EngineSettings> = {
    socket: { host: engine.host },
    tls: { host: `tcp://${address}:2376`, tlsVerify: true, tlsCertPath: certificates },
    ssh: { host: ssh?.host, sshKeyFile: ssh?.keyFile },
  }
  const dockerHosts: DockerHost[] = [
    { name: 'good', engine: { host: good.host }, concurrent: 2, weight: 1 },
    { name: 'bad', engine: settings[way], concurrent: 2, weight: 1 },
  ]
  const docker = {
    image,
    pullPolicy: ['if-not-present' as const],
    networkMode: 'none',
    engineAwaySeconds: patience,
  }
  const runner = await startRunner(
    {
      concurrent: 10,
      checkIntervalSeconds: 0.05,
      shutdownTimeoutSeconds: 60,
      logLevel: 'info',
      dataDir: join(directory, 'data'),
      systemId: 's_failinghost',
      blockMetadataAddresses: false,
      runners: [runnerRegistration(coordinator.url, { executor: 'docker-hosts', docker, dockerHosts })],
    },
    createLogger('runner', 'silent'),
  )
  onFinished(() => runner.stopNow('end of the test'))
  const view = () => runner.entries()[0]?.hosts?.find(({ name }) => name === 'bad')
  await expect
    .poll(() => (runner.entries()[0]?.hosts ?? []).map(({ state }) => state), { interval: 50 })
    .toEqual(['online', 'online'])
  return {
    runner,
    coordinator,
    machine,
    good,
    view,
    onBad: (id: number) => coordinator.trace(id).includes('Using the host bad'),
    offer: (ids: number[], script: string) =>
      coordinator.offer(
        ...ids.map((id) =>
          jobPayload({
            id,
            token: `token-${id}`,
            variables: [{ key: 'GIT_STRATEGY', value: 'none' }],
            steps: [{ name: 'script', script: [script] }],
            features: { failure_reasons: ['runner_system_failure', 'runner_external_dependency_failure'] },
          }),
        ),
      ),
    ended: (...ids: number[]) =>
      coordinator.until(() => ids.every((id) => coordinator.finalUpdate(id) !== undefined)),
  }
}
