import { writeFile } from 'node:fs/promises'
import { Writable } from 'node:stream'

import { expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { EnvironmentRecord, JobEnvironment } from '../../../../src/runner/executor/executor.js'
import { type Cluster, ClusterError } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import {
  createKubernetesExecutor,
  type KubernetesParts,
} from '../../../../src/runner/executor/kubernetes/kubernetes-executor.js'
import { JobLog } from '../../../../src/runner/trace/job-log.js'
import { executorJob } from '../../../support/executor-job.js'
import { type ApiServer, startApiServer } from '../../../support/kubernetes/api-server.js'
import { openHelper, podParts, podPlaces } from '../../../support/kubernetes/pod-parts.js'
import { onFinished } from '../../../support/lifetime.js'

const NEVER = new AbortController().signal
const STAGE = { name: 'step_script' }
const JOB = executorJob()
const logger = createLogger('runner', 'silent')

/** A log, and what was written to it. */
function openLog() {
  const written: { text: string; notify: () => void } = { text: '', notify: () => {} }
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.text += chunk.toString()
      written.notify()
      done()
    },
  })
  return {
    log: new JobLog(output, false),
    text: () => written.text,
    has: async (text: string) => {
      while (!written.text.includes(text)) await new Promise<void>((resolve) => (written.notify = resolve))
    },
  }
}

async function openScene() {
  const server = await startApiServer()
  const places = await podPlaces()
  const parts = await podParts(server, places)
  const settings = {
    image: 'alpine:3',
    namespace: 'ci',
    pollTimeoutSeconds: 30,
    cleanupGracePeriodSeconds: 0,
    runnerShortToken: 'abc',
    systemId: 's_1',
    buildsDir: places.builds,
  }
  const scriptPath = `${places.builds}/script`
  return {
    server,
    scriptPath,
    executor: (changes: Partial<KubernetesParts> = {}) => {
      const executor = createKubernetesExecutor(settings, logger, openHelper, { ...parts, ...changes })
      onFinished(() => executor.end?.())
      return executor
    },
    parts,
    open: (environment: JobEnvironment) =>
      environment.open(() => ({
        mounts: [],
        workingDirectory: places.builds,
        scriptPath,
        environment: { GREETING: 'hello' },
      })),
  }
}

/** A cluster that can be lost at any moment, as by a runner that is killed. */
function losable(parts: KubernetesParts, server: ApiServer) {
  let cluster: Cluster | undefined
  const connect: KubernetesParts['connect'] = async (...options) =>
    (cluster = await parts.connect(...options))
  const lose = () => {
    if (!cluster) return
    cluster.exec = () => Promise.reject(new ClusterError('killed', 403, 'Forbidden'))
    cluster.close()
    server.cutConnections()
  }
  return { connect, lose }
}

test('the job of a killed runner continues in its pod, and its output is written once and whole', async () => {
  const { executor, open, parts, scriptPath, server } = await openScene()
  await writeFile(
    scriptPath,
    `echo one; until [ -e ${scriptPath}.go ]; do sleep 0.02; done; echo two; exit 3`,
  )
  const { connect, lose } = losable(parts, server)
  const first = openLog()
  const environment = await executor({ connect }).prepare(JOB, first.log, NEVER)
  open(environment)
  let record: EnvironmentRecord = {}
  const beforeStart = async () => void (record = structuredClone(environment.record))
  const running = environment.run(STAGE, first.log, NEVER, beforeStart).catch(() => {})
  await first.has('one')
  lose()
  await running

  const later = executor()
  await later.removeLeftovers(new Set([JOB.jobId]))
  const second = openLog()
  const adopted = await later.adopt(JOB, record, second.log)
  await writeFile(`${scriptPath}.go`, '')
  expect(await adopted.resume(STAGE, second.log, NEVER)).toEqual({ exitCode: 3 })
  expect(second.text()).toBe('one\ntwo\n')

  await adopted.cleanUp()
  await adopted.cleanUp()
  expect(server.pods.all()).toEqual([])
  await expect(later.adopt(JOB, record, second.log)).rejects.toThrow(
    /The pod ci\/\S+ of the job no longer exists: it was deleted while no runner followed it/,
  )
  await expect(later.adopt(JOB, { imageId: 'x' }, second.log)).rejects.toThrow('record')
})

test('a container that ends before its first script fails the preparation, and leaves no pod', async () => {
  const { executor, parts, server } = await openScene()
  const places = { ...parts.places, control: `${parts.places.control}/missing` }
  await expect(executor({ places }).prepare(JOB, openLog().log, NEVER)).rejects.toMatchObject({
    reason: 'runner_configuration_error',
    message: expect.stringContaining('"alpine:3" ended before the script of the job did') as string,
  })
  expect(server.pods.all()).toEqual([])
})

test('what a killed runner left is removed, even if the API server was away when the next one started', async () => {
  const { executor, parts, server } = await openScene()
  const { connect, lose } = losable(parts, server)
  await executor({ connect }).prepare(JOB, openLog().log, NEVER)
  lose()
  const later = executor()
  server.goAway('refuses')
  await expect(later.removeLeftovers(new Set())).rejects.toMatchObject({ reason: 'runner_system_failure' })
  await server.comeBack()
  await later.ping()
  await expect.poll(() => server.pods.all()).toEqual([])
})

test('shells have the variables of the job and begin in its project directory', async () => {
  const { executor, open, scriptPath } = await openScene()
  await writeFile(scriptPath, 'echo begun; sleep 100')
  const { log, has } = openLog()
  const environment = await executor().prepare(JOB, log, NEVER)
  open(environment)
  const stop = new AbortController()
  const running = environment.run(STAGE, log, stop.signal).catch((error: unknown) => error)
  await has('begun')
  expect(environment.interior?.name).toMatch(/^pod ci\/runner-\S+ on the node node-1$/)

  const shell = await environment.interior?.shell(
    { command: ['sh', '-c', 'echo "$GREETING from $PWD"; exit 4'], size: undefined },
    NEVER,
  )
  let printed = ''
  for await (const { bytes } of shell?.output ?? []) printed += bytes.toString()
  expect(printed).toBe(`hello from ${scriptPath.replace('/script', '')}\n`)
  expect(await shell?.exitCode()).toBe(4)

  const reason = new Error('canceled')
  stop.abort(reason)
  expect(await running).toBe(reason)
  await environment.cleanUp()
})
