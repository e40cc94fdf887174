import type { V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'

import type { Cluster } from '../../../../src/runner/executor/kubernetes/cluster/cluster.js'
import type { ApiServer } from '../../../support/kubernetes/api-server.js'
import { startCluster, storePod } from '../../../support/kubernetes/cluster-on-server.js'
import type { PodObject } from '../../../support/kubernetes/pod-objects.js'

/** What a listener was called with: phases, and `deleted`. */
function record(cluster: Cluster, name: string, namespace = 'ci') {
  const calls: (string | undefined)[] = []
  const stop = cluster.follow(namespace, name, {
    changed: (pod: V1Pod) => calls.push(pod.status?.phase),
    deleted: () => calls.push('deleted'),
  })
  return { calls, stop }
}

function setPhase(server: ApiServer, pod: PodObject, phase: PodObject['status']['phase']): void {
  server.pods.update({ ...pod, status: { ...pod.status, phase } })
}

const watchesIn = ({ requests }: ApiServer) => requests.filter((request) => request.includes('watch=true'))

test('1,000 followed pods of one namespace cost one connection', async () => {
  const { server, cluster } = await startCluster()
  const names = Array.from({ length: 1000 }, (_, index) => `p${index}`)
  const pods = names.map((name) => storePod(server, name))
  const records = names.map((name) => record(cluster, name))
  await expect.poll(() => server.watches.count).toBe(1)
  for (const pod of pods) setPhase(server, pod, 'Running')
  await expect.poll(() => records.every(({ calls }) => calls.at(-1) === 'Running')).toBe(true)
  expect(records.every(({ calls }) => calls.join() === 'Pending,Running')).toBe(true)
  expect(server.requests).toHaveLength(2)
  expect(watchesIn(server)).toHaveLength(1)
})

test('each namespace has a watch of its own, of the pods of this runner', async () => {
  const { server, cluster } = await startCluster({}, { namespaces: ['ci', 'other'] })
  storePod(server, 'a')
  storePod(server, 'a', 'other')
  const first = record(cluster, 'a')
  const second = record(cluster, 'a', 'other')
  await expect.poll(() => server.watches.count).toBe(2)
  expect([first.calls, second.calls]).toEqual([['Pending'], ['Pending']])
  expect(watchesIn(server).every((request) => request.includes('labelSelector=runner%3Dr1'))).toBe(true)
})

test('the watch ends when nobody follows, and begins again', async () => {
  const { server, cluster } = await startCluster()
  const pod = storePod(server, 'a')
  const { stop, calls } = record(cluster, 'a')
  await expect.poll(() => server.watches.count).toBe(1)
  stop()
  await expect.poll(() => server.watches.count).toBe(0)
  setPhase(server, pod, 'Running')
  const again = record(cluster, 'a')
  await expect.poll(() => again.calls).toEqual(['Running'])
  expect(calls).toEqual(['Pending'])
})

test('a later follower gets the current state at once', async () => {
  const { server, cluster } = await startCluster()
  storePod(server, 'a')
  const first = record(cluster, 'a')
  await expect.poll(() => first.calls).toEqual(['Pending'])
  const second = record(cluster, 'a')
  await expect.poll(() => second.calls).toEqual(['Pending'])
})

test('a pod that was created or deleted before it is followed is reported, although the watch runs', async () => {
  const { server, cluster } = await startCluster()
  storePod(server, 'a')
  record(cluster, 'a')
  await expect.poll(() => server.watches.count).toBe(1)
  const gone = record(cluster, 'gone')
  storePod(server, 'b')
  const created = record(cluster, 'b')
  await expect.poll(() => gone.calls).toEqual(['deleted'])
  await expect.poll(() => created.calls).toEqual(['Pending'])
})

test('after a gap, followers get the state after it, from the last version', async () => {
  const { server, cluster } = await startCluster()
  const pod = storePod(server, 'a')
  const deleted = storePod(server, 'b')
  const [a, b] = [record(cluster, 'a'), record(cluster, 'b')]
  await expect.poll(() => server.watches.count).toBe(1)
  server.goAway('refuses')
  setPhase(server, pod, 'Running')
  server.pods.remove(deleted)
  await server.comeBack()
  await expect.poll(() => a.calls).toEqual(['Pending', 'Running'])
  await expect.poll(() => b.calls).toEqual(['Pending', 'deleted'])
  expect(watchesIn(server)).toHaveLength(2)
  expect(server.requests.filter((request) => !request.includes('watch=true'))).toHaveLength(1)
})

test('when the version is too old, the pods are listed again, and missing ones are deleted', async () => {
  const { server, cluster } = await startCluster()
  const pod = storePod(server, 'a')
  const deleted = storePod(server, 'b')
  const [a, b] = [record(cluster, 'a'), record(cluster, 'b')]
  await expect.poll(() => server.watches.count).toBe(1)
  server.goAway('refuses')
  setPhase(server, pod, 'Running')
  server.pods.remove(deleted)
  server.pods.forgetHistory()
  await server.comeBack()
  await expect.poll(() => a.calls).toEqual(['Pending', 'Running'])
  await expect.poll(() => b.calls).toEqual(['Pending', 'deleted'])
  await expect.poll(() => server.watches.count).toBe(1)
})

test('a watch that the server has ended continues from the last bookmark', async () => {
  const { server, cluster } = await startCluster()
  storePod(server, 'a')
  const { calls } = record(cluster, 'a')
  await expect.poll(() => server.watches.count).toBe(1)
  // Of no interest to the watch: without the bookmark, it would be too old.
  const other = storePod(server, 'x', 'default')
  server.pods.forgetHistory()
  server.watches.sendBookmarks()
  server.watches.end()
  await expect.poll(() => server.watches.opened).toBe(2)
  setPhase(server, server.pods.get('ci', 'a'), 'Running')
  await expect.poll(() => calls).toEqual(['Pending', 'Running'])
  expect(server.requests.filter((request) => !request.includes('watch=true'))).toHaveLength(1)
  expect(watchesIn(server)[1]).not.toContain(`resourceVersion=${other.metadata.resourceVersion}`)
})

test('a watch on a dead connection is begun again', async () => {
  const { server, cluster } = await startCluster({ watchSilence: 100 })
  const pod = storePod(server, 'a')
  const { calls } = record(cluster, 'a')
  await expect.poll(() => server.watches.opened).toBeGreaterThan(1)
  setPhase(server, pod, 'Running')
  await expect.poll(() => calls).toEqual(['Pending', 'Running'])
  await expect.poll(() => server.watches.count).toBe(1)
})

test('the end of a connection is reported, but not that of a watch whose time is over', async () => {
  const { server, cluster } = await startCluster()
  storePod(server, 'a')
  record(cluster, 'a')
  await expect.poll(() => server.watches.count).toBe(1)
  let isReported = false
  const reported = cluster.disconnected(new AbortController().signal).then(() => (isReported = true))
  server.watches.end()
  await expect.poll(() => server.watches.opened).toBe(2)
  expect(isReported).toBe(false)
  server.watches.cut()
  await reported
  await cluster.disconnected(AbortSignal.abort())
})
