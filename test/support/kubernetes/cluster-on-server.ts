import type { V1Pod } from '@kubernetes/client-node'

import { createLogger } from '../../../src/lib/logger.js'
import type { Shell } from '../../../src/runner/executor/executor.js'
import type { ClusterTimes } from '../../../src/runner/executor/kubernetes/cluster/cluster-times.js'
import type { Cluster } from '../../../src/runner/executor/kubernetes/cluster/cluster.js'
import { createCluster } from '../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import { onFinished } from '../lifetime.js'
import { type ApiServer, type ApiServerOptions, startApiServer } from './api-server.js'
import { newPod, type PodObject } from './pod-objects.js'

/** Of the pods of these tests, and what the watches of the client are about. */
const LABELS = { runner: 'r1' }

export interface ClusterOnServer {
  server: ApiServer
  cluster: Cluster
}

/** A server, and a client of it, until the running test has finished. */
export async function startCluster(
  times: Partial<ClusterTimes> = {},
  options: ApiServerOptions = {},
): Promise<ClusterOnServer> {
  const server = await startApiServer(options)
  const cluster = await createCluster(server.settings, {
    labelSelector: 'runner=r1',
    logger: createLogger('test', 'silent'),
    times: { watchPause: 10, ...times },
  })
  onFinished(() => cluster.close())
  return { server, cluster }
}

/** A pod with one container `build`, which waits or runs the script. */
export function podOf(name: string, script = 'exec sleep 1000'): V1Pod {
  const command = ['sh', '-c', script]
  return {
    metadata: { name, labels: LABELS },
    spec: { restartPolicy: 'Never', containers: [{ name: 'build', image: 'busybox', command }] },
  }
}

/** Stores a pod that no kubelet runs. */
export function storePod(server: ApiServer, name: string, namespace = 'ci'): PodObject {
  const metadata = { name, namespace, labels: LABELS, uid: '', resourceVersion: '', creationTimestamp: '' }
  return server.pods.create(newPod(metadata, { containers: [{ name: 'build', image: 'busybox' }] }))
}

/** Creates a pod, and resolves when its container runs. */
export async function runPod(
  { server, cluster }: ClusterOnServer,
  name: string,
  script?: string,
): Promise<void> {
  await cluster.createPod('ci', podOf(name, script))
  await new Promise<void>((resolve) => {
    const stop = server.pods.watch(0, ({ object }) => {
      if (object.metadata.name !== name || object.status.phase !== 'Running') return
      setImmediate(() => stop())
      resolve()
    })
  })
}

/** Reads the output of a command to its end. */
export async function finish(shell: Shell): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  const texts = { stdout: '', stderr: '' }
  for await (const { channel, bytes } of shell.output) texts[channel] += bytes.toString('latin1')
  return { ...texts, exitCode: await shell.exitCode() }
}
