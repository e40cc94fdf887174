import { expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { Cluster } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import { createCluster } from '../../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import { type ApiServer, startApiServer } from '../../../support/kubernetes/api-server.js'
import { startCluster, storePod } from '../../../support/kubernetes/cluster-on-server.js'
import type { PodObject } from '../../../support/kubernetes/pod-objects.js'
import { onFinished } from '../../../support/lifetime.js'

const SOON = { eventDelay: 1 }
const NOT_SOON = { eventDelay: 100_000 }
const MOUNT = 'MountVolume.SetUp failed for volume "data" : configmap "data" not found'

/** The messages of the warnings about a pod. */
function follow(cluster: Cluster, { metadata: { namespace, uid } }: PodObject) {
  const messages: (string | undefined)[] = []
  const stop = cluster.followWarnings(namespace, uid, ({ message }) => messages.push(message))
  return { messages, stop }
}

const requestsFor = ({ requests }: ApiServer) =>
  requests
    .filter((request) => request.includes('/events'))
    .map((request) => (request.includes('watch=true') ? 'watch' : 'list'))

const opened = async ({ watches }: ApiServer) => await expect.poll(() => watches.countOf('events')).toBe(1)

test('a pod that waits gets its own warnings, those from before included', async () => {
  const { server, cluster } = await startCluster(SOON)
  const [pod, other] = [storePod(server, 'a'), storePod(server, 'b')]
  server.recorder.record(pod, 'FailedMount', 'earlier')
  server.recorder.record(pod, 'Scheduled', 'normal', 'Normal')
  server.recorder.record(other, 'FailedMount', 'of another pod')
  const { messages } = follow(cluster, pod)
  await opened(server)
  server.recorder.record(other, 'FailedMount', 'also of another pod')
  server.recorder.record(pod, 'Pulling', 'also normal', 'Normal')
  server.recorder.record(pod, 'FailedMount', 'later')
  await expect.poll(() => messages).toEqual(['earlier', 'later'])
})

test('1,000 pods that wait cost one list and one watch', async () => {
  const { server, cluster } = await startCluster(SOON)
  const pods = Array.from({ length: 1000 }, (_, index) => storePod(server, `p${index}`))
  const all = pods.map((pod) => follow(cluster, pod))
  await opened(server)
  for (const pod of pods) server.recorder.record(pod, 'FailedMount', MOUNT)
  await expect.poll(() => all.every(({ messages }) => messages.join() === MOUNT)).toBe(true)
  expect(requestsFor(server)).toEqual(['list', 'watch'])
})

test('a pod that runs soon costs nothing, and the watch ends when none waits', async () => {
  const { server, cluster } = await startCluster(NOT_SOON)
  follow(cluster, storePod(server, 'a')).stop()
  const patient = await startCluster(SOON)
  const first = follow(patient.cluster, storePod(patient.server, 'a'))
  await opened(patient.server)
  first.stop()
  await expect.poll(() => patient.server.watches.count).toBe(0)
  const again = follow(patient.cluster, storePod(patient.server, 'b'))
  await opened(patient.server)
  again.stop()
  expect(requestsFor(server)).toEqual([])
})

test('the warnings of a namespace are listed in parts', async () => {
  const { server, cluster } = await startCluster(SOON)
  const pod = storePod(server, 'a')
  for (let index = 0; index < 1100; index++) server.recorder.record(pod, 'FailedMount', `volume ${index}`)
  const { messages } = follow(cluster, pod)
  await expect.poll(() => messages).toHaveLength(1100)
  await opened(server)
  expect(requestsFor(server)).toEqual(['list', 'list', 'list', 'watch'])
})

test('after the version became too old, warnings are listed again', async () => {
  const { server, cluster } = await startCluster(SOON)
  const pod = storePod(server, 'a')
  const { messages } = follow(cluster, pod)
  await opened(server)
  server.goAway('refuses')
  server.recorder.record(pod, 'FailedMount', MOUNT)
  server.events.forgetHistory()
  await server.comeBack()
  await expect.poll(() => messages).toEqual([MOUNT])
  await opened(server)
})

test.each(['list', 'watch'])(
  'without the right to %s events, the log of the runner says so once',
  async (verb) => {
    const server = await startApiServer()
    server.misbehaviour.forbid({ namespace: 'ci', verb, resource: 'events' })
    const warnings: string[] = []
    const logger = createLogger('runner', 'warn', {
      format: () => '',
      onWarning: (line) => warnings.push(line),
    })
    const cluster = await createCluster(server.settings, { labelSelector: 'runner=r1', logger, times: SOON })
    onFinished(() => cluster.close())
    const first = follow(cluster, storePod(server, 'a'))
    await expect.poll(() => warnings.join()).toContain(`cannot ${verb} resource \\"events\\"`)
    first.stop()
    const count = requestsFor(server).length
    follow(cluster, storePod(server, 'b'))
    await expect.poll(() => requestsFor(server)).toHaveLength(2 * count)
    expect(warnings).toEqual([expect.stringContaining('may not read the events of the namespace')])
    expect(server.watches.count).toBe(0)
  },
)
