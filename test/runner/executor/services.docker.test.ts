import { randomBytes } from 'node:crypto'
import { finished } from 'node:stream/promises'

import Docker from 'dockerode'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createLogger } from '../../../src/lib/logger.js'
import { createDockerExecutor } from '../../../src/runner/executor/docker/docker-executor.js'
import type { ServicesRecord } from '../../../src/runner/executor/docker/environment-record.js'
import { adoptServices } from '../../../src/runner/executor/docker/services/running-services.js'
import { startServices } from '../../../src/runner/executor/docker/services/start-services.js'
import type { EnvironmentRecord, ServiceRequest } from '../../../src/runner/executor/executor.js'
import { busyboxImage } from '../../support/docker-image.js'
import { testAtNight, variants } from '../../support/nightly.js'
import {
  brokenImage,
  healthImage,
  lateWebImage,
  portlessImage,
  silentImage,
  webImage,
} from '../../support/service-images.js'
import { type Bench, NEVER, openBench, RecordedLog, runScripts } from './docker-jobs.js'
import { openEngineDoor } from './engine-door.js'

function service(name: string, more: Partial<ServiceRequest> = {}): ServiceRequest {
  return {
    name,
    aliases: [],
    entrypoint: undefined,
    command: undefined,
    environment: {},
    pullPolicy: undefined,
    user: undefined,
    platform: undefined,
    isConfigured: false,
    ...more,
  }
}

const fetchFrom = (host: string) => `wget -q -O - http://${host}/passwd | grep -c root`

describe('job service', () => {
  test('is reachable under its names when the script begins, even if it starts slowly', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await lateWebImage(), { aliases: ['db', 'store'] })]
    const script = ['switchyard-test-late-web', 'db', 'store'].map(fetchFrom).join(' && ')
    const { exitCodes, text } = await runScripts(bench, [script], { services })
    expect(exitCodes, text).toEqual([0])
    expect(text).toContain('Starting service switchyard-test-late-web:latest...')
    expect(text).toContain('Waiting for services to be up and running (timeout 30 seconds)...')
    expect(text).not.toContain('WARNING')
  })

  testAtNight('reaches the job and earlier services under their names', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const find = 'nslookup first >/dev/null && echo found; exec sleep 1000'
    const services = [
      service(await portlessImage(), { aliases: ['first'] }),
      service(await busyboxImage(), { aliases: ['second'], command: ['sh', '-c', find] }),
    ]
    const script = 'nslookup build | grep -c "$(hostname -i)"; echo "$CI_BUILD_NETWORK_NAME"'
    const { exitCodes, text } = await runScripts(bench, [script], { services, showServiceLogs: true })
    expect(exitCodes, text).toEqual([0])
    expect(text).toContain('[service:switchyard-test-busybox-second] found')
    expect(text).toMatch(new RegExp(`\\n1\\nrunner-${bench.settings.runnerShortToken}-3-0-7\\n`))
  })

  test('is ready when its health check succeeds, without waiting for the next interval', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await healthImage(), { aliases: ['db'] })]
    const { text } = await runScripts(bench, ['echo script begins'], { services, showServiceLogs: true })
    expect(text).not.toContain('WARNING')
    expect(text).toContain('script begins')
  })

  testAtNight('that exits early is reported with its output at once, and the job continues', async () => {
    const bench = await openBench({ image: await busyboxImage(), waitForServicesSeconds: 3600 })
    const { exitCodes, text } = await runScripts(bench, ['echo goes on'], {
      services: [service(await brokenImage())],
    })
    expect(exitCodes).toEqual([0])
    expect(text).toMatch(
      /WARNING:\S* Service runner-\S+-switchyard-test-broken-0 probably didn't start properly/,
    )
    expect(text).toContain('Health check error:\nit ended with exit code 3\n')
    expect(text).toMatch(/Service container logs:\n\S+Z no data directory\n/)
    expect(text).toMatch(/\*{9}.*\n\ngoes on\n/s)
  })

  testAtNight('that is not ready in time is reported, and the job continues', async () => {
    const bench = await openBench({ image: await busyboxImage(), waitForServicesSeconds: 1 })
    const { text } = await runScripts(bench, ['echo goes on'], { services: [service(await silentImage())] })
    expect(text).toMatch(/Health check error:\nservice "runner-\S+" timeout\n/)
    expect(text).toMatch(/Service container logs:\n\S+Z busy\n/)
    expect(text).toContain('goes on')
  })

  testAtNight('without a probe is reported as unchecked', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const { text } = await runScripts(bench, ['true'], { services: [service(await portlessImage())] })
    expect(text).toContain('Could not check whether service switchyard-test-portless:latest is up')
  })

  testAtNight('is not waited for if the settings say so', async () => {
    const bench = await openBench({ image: await busyboxImage(), waitForServicesSeconds: -1 })
    const { text } = await runScripts(bench, ['echo goes on'], { services: [service(await silentImage())] })
    expect(text).not.toContain('Waiting for services')
    expect(text).toContain('goes on')
  })

  testAtNight('is probed from a container when the engine is remote', async () => {
    const door = await openEngineDoor({ remote: true })
    const bench = await openBench({
      image: await busyboxImage(),
      host: door.host,
      waitForServicesSeconds: 20,
    })
    const services = [service(await lateWebImage(), { aliases: ['db'] })]
    const { exitCodes, text } = await runScripts(bench, [fetchFrom('db')], { services })
    expect(exitCodes, text).toEqual([0])
    expect(text).not.toContain('WARNING')
  })
})

describe('job network', () => {
  test('is not created without services', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    await bench.executor.prepare(bench.job(), new RecordedLog(), NEVER)
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('is created when the job requests it', async () => {
    const bench = await openBench({ image: await busyboxImage(), networkMtu: 1400 })
    const { text } = await runScripts(bench, ['cat /sys/class/net/eth0/mtu'])
    expect(text).toContain('\n1400\n')
  })

  testAtNight('of a killed attempt does not block the next attempt', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await webImage(), { aliases: ['db'] })]
    await bench.executor.prepare(bench.job({ services }), new RecordedLog(), NEVER)
    const { exitCodes } = await runScripts(bench, [fetchFrom('db')], { services })
    expect(exitCodes).toEqual([0])
  })

  testAtNight('and services of a killed runner are removed by the cleanup at start', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await webImage())]
    await bench.executor.prepare(bench.job({ services }), new RecordedLog(), NEVER)
    expect(await bench.containers()).toHaveLength(2)
    await bench.executor.removeLeftovers(new Set())
    expect(await bench.containers()).toEqual([])
  })
})

describe('services of an adopted job', () => {
  testAtNight('continue, print their output from then on, and are removed', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const count = 'i=0; while true; do echo "tick $i"; i=$((i+1)); sleep 1; done'
    const services = [service(await webImage(), { command: ['sh', '-c', `httpd -p 80; ${count}`] })]
    const docker = new Docker()
    const logger = createLogger('test', 'silent')
    const parts = {
      docker,
      logger,
      settings: bench.settings,
      findImage: async ({ name }: { name: string }) => {
        const { Id: id } = await docker.getImage(name).inspect()
        return { id, name, digest: undefined }
      },
      jobImageId: await busyboxImage(),
      engine: { isRootless: false, resolvesNames: true, checksHealthOnRequest: false },
    }
    const killed = new RecordedLog()
    const job = bench.job({ services, showServiceLogs: true })
    const { record } = await startServices(parts, job, killed, NEVER)
    await killed.seen('tick 0')
    const log = new RecordedLog()
    const adopted = adoptServices(parts, JSON.parse(JSON.stringify(record)) as ServicesRecord, log)
    expect(adopted.connection).toEqual(record.connection)
    await log.seen('[service:switchyard-test-web] tick')
    expect(log.text).not.toContain('tick 0')
    await adopted.cleanUp()
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('belong to the environment that the executor adopts, and stay for its script', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await webImage(), { aliases: ['db'] })]
    const job = bench.job({ services })
    const { record } = await bench.executor.prepare(job, new RecordedLog(), NEVER)
    const later = createDockerExecutor(bench.settings, createLogger('test', 'silent'))
    await later.removeLeftovers(new Set([job.jobId]))
    const log = new RecordedLog()
    const taken = JSON.parse(JSON.stringify(record)) as EnvironmentRecord
    const environment = await later.adopt(job, taken, log)
    environment.open(() => bench.place)
    const { exitCode } = await environment.run(await bench.script(fetchFrom('db')), log, NEVER)
    expect(exitCode, log.text).toBe(0)
    await environment.cleanUp()
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('write nothing to a closed log', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const chatter = ['sh', '-c', 'yes chatter']
    const services = [service(await portlessImage(), { command: chatter })]
    const log = new RecordedLog()
    const job = bench.job({ services, showServiceLogs: true })
    const environment = await bench.executor.prepare(job, log, NEVER)
    await log.seen('chatter')
    const cleaning = environment.cleanUp()
    log.output.end()
    await finished(log.output)
    await cleaning
    expect(log.output.errored).toBeNull()
  })
})

describe('network of the settings', () => {
  test.each(variants(['bridge'], ['host']))(
    '%s: services are in the hosts of the job',
    async (networkMode) => {
      const bench = await openBench({ image: await busyboxImage(), networkMode })
      const port = networkMode === 'host' ? 20_000 + (randomBytes(2).readUInt16BE() % 10_000) : 80
      const command = ['sh', '-c', `exec httpd -f -p ${port} -h /etc`]
      const environment = { HEALTHCHECK_TCP_PORT: String(port) }
      const services = [service(await webImage(), { aliases: ['db'], command, environment })]
      const { exitCodes, text } = await runScripts(bench, [fetchFrom(`db:${port}`)], { services })
      expect(exitCodes, text).toEqual([0])
      expect(text.includes('share the network of the machine')).toBe(networkMode === 'host')
      expect(text).not.toContain('probably')
    },
  )

  testAtNight('is shared by all jobs and stays', async () => {
    const docker = new Docker()
    const network = await docker.createNetwork({ Name: `switchyard-test-${randomBytes(6).toString('hex')}` })
    onTestFinished(() => network.remove())
    const { Name: networkMode } = await network.inspect()
    const bench = await openBench({ image: await busyboxImage(), networkMode })
    const services = [service(await webImage(), { aliases: ['db'] })]
    const { exitCodes, text } = await runScripts(bench, [fetchFrom('db')], { services })
    expect(exitCodes, text).toEqual([0])
  })

  test('of the kind none rejects services before anything is started', async () => {
    const bench = await openBench({ image: await busyboxImage(), networkMode: 'none' })
    const running = runScripts(bench, [], { services: [service(await webImage())] })
    await expect(running).rejects.toMatchObject({
      reason: 'runner_configuration_error',
      message: expect.stringContaining('network_mode of the runner is "none"') as string,
    })
  })
})

describe('cleanup of services', () => {
  async function failure(bench: Bench, services: ServiceRequest[]): Promise<unknown> {
    return await runScripts(bench, [], { services }).catch((error: unknown) => error)
  }

  testAtNight('after a missing image of one of several services', async () => {
    const bench = await openBench({ image: await busyboxImage(), pullPolicy: ['never'] })
    const services = [
      service(await webImage()),
      service('switchyard-test-missing:1'),
      service(await silentImage()),
    ]
    expect(await failure(bench, services)).toMatchObject({ reason: 'runner_configuration_error' })
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('after a service without a program', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await webImage()), service(await silentImage(), { entrypoint: ['/no/such'] })]
    expect(await failure(bench, services)).toMatchObject({
      reason: 'runner_configuration_error',
      message: expect.stringMatching(
        /"switchyard-test-silent:latest" cannot be started .*"entrypoint"/,
      ) as string,
    })
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('after a cancel while services start', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const abort = new AbortController()
    const log = new RecordedLog()
    const services = [service(await silentImage()), service(await webImage())]
    const preparing = bench.executor.prepare(bench.job({ services }), log, abort.signal)
    await log.seen('Waiting for services')
    abort.abort(new Error('canceled'))
    await expect(preparing).rejects.toThrow('canceled')
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('after an outage of the engine while services start', async () => {
    const door = await openEngineDoor()
    const settings = { image: await busyboxImage(), host: door.host, waitForServicesSeconds: 3600 }
    const bench = await openBench(settings)
    const log = new RecordedLog()
    const services = [service(await silentImage())]
    const preparing = bench.executor.prepare(bench.job({ services }), log, NEVER)
    await log.seen('Waiting for services')
    door.shut()
    const environment = await preparing
    expect(log.text).toContain('the engine sends no more events about it')
    door.open()
    await environment.cleanUp()
    expect(await bench.containers()).toEqual([])
  })

  testAtNight('after a cancel at any earlier moment', async () => {
    const bench = await openBench({ image: await busyboxImage() })
    const services = [service(await silentImage()), service(await webImage())]
    for (const milliseconds of [0, 20, 60, 120, 250, 500]) {
      const signal = AbortSignal.timeout(milliseconds)
      await bench.executor.prepare(bench.job({ services }), new RecordedLog(), signal).catch(() => undefined)
      expect(await bench.containers(), `${milliseconds} ms`).toEqual([])
    }
  })
})
