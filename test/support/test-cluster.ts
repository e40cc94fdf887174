import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'

import { CoreV1Api, KubeConfig, VersionApi } from '@kubernetes/client-node'
import { execa } from 'execa'

import { onFinished } from './lifetime.js'
import { type NetworkDoor, openNetworkDoor } from './network-door.js'

const REQUIRED = {
  kubeconfig: 'SWITCHYARD_TEST_KUBECONFIG',
  helperImage: 'SWITCHYARD_TEST_KUBERNETES_HELPER_IMAGE',
  loadCommand: 'SWITCHYARD_TEST_KUBERNETES_LOAD',
} as const

const read = (name: keyof typeof REQUIRED) => process.env[REQUIRED[name]] ?? ''
const absent = Object.values(REQUIRED).filter((name) => !process.env[name])

/**
 * A real cluster for tests, which the environment names: a kubeconfig, an image of this version that its nodes have, and a
 * command that gives its nodes the images of the archive on its standard input (such as `docker save` writes). Pods must
 * reach this machine at `SWITCHYARD_TEST_HOST`.
 */
export const TEST_CLUSTER = {
  kubeconfig: read('kubeconfig'),
  helperImage: read('helperImage'),
  loadCommand: read('loadCommand'),
  /** Why tests cannot use it. Undefined if they can. */
  missing: absent.length === 0 ? undefined : `set ${absent.join(', ')}`,
}

/** A namespace of the cluster, which is removed at the end of the test file. */
export interface TestNamespace {
  namespace: string
  api: CoreV1Api
  /** Version of the API server. */
  version: string
  /** Pods and secrets of the runner with this system ID, or of all runners. */
  leftovers(systemId?: string): Promise<string[]>
  removePods(systemId: string): Promise<void>
}

export async function openTestCluster(): Promise<TestNamespace> {
  const config = new KubeConfig()
  config.loadFromFile(TEST_CLUSTER.kubeconfig)
  const api = config.makeApiClient(CoreV1Api)
  const { gitVersion: version } = await config.makeApiClient(VersionApi).getCode()
  const namespace = `switchyard-test-${randomBytes(4).toString('hex')}`
  await api.createNamespace({ body: { metadata: { name: namespace } } })
  onFinished(() => api.deleteNamespace({ name: namespace }))
  const ofRunner = (systemId?: string) => ({
    namespace,
    labelSelector: systemId === undefined ? SYSTEM_LABEL : `${SYSTEM_LABEL}=${systemId}`,
  })
  return {
    namespace,
    api,
    version,
    leftovers: async (systemId) => {
      const pods = await api.listNamespacedPod(ofRunner(systemId))
      const secrets = await api.listNamespacedSecret(ofRunner(systemId))
      const running = pods.items.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      return [
        ...running.map(({ metadata }) => `pod ${metadata?.name ?? ''}`),
        ...secrets.items.map(({ metadata }) => `secret ${metadata?.name ?? ''}`),
      ]
    },
    removePods: async (systemId) => {
      await api.deleteCollectionNamespacedPod({ ...ofRunner(systemId), gracePeriodSeconds: 0 })
    },
  }
}

/** Writes a kubeconfig by which clients reach the API server through a door of this machine. */
export async function openDoorToCluster(kubeconfig: string): Promise<NetworkDoor> {
  const config = new KubeConfig()
  config.loadFromFile(TEST_CLUSTER.kubeconfig)
  const { server } = config.getCurrentCluster() ?? { server: '' }
  const { hostname, port } = new URL(server)
  const door = await openNetworkDoor('loopback', () => connect(Number(port || 443), hostname))
  config.loadFromOptions({
    users: config.users,
    contexts: config.contexts,
    currentContext: config.currentContext,
    clusters: config.clusters.map((cluster) => ({
      ...cluster,
      server: `https://127.0.0.1:${door.port}`,
      tlsServerName: hostname,
    })),
  })
  await writeFile(kubeconfig, config.exportConfig())
  return door
}

/** Passes an image of the machine's engine to the nodes. */
export async function loadImage(name: string): Promise<void> {
  await execa('sh', ['-c', `docker save "$0" | ${TEST_CLUSTER.loadCommand}`, name])
}

/** The label of everything that a runner creates, with its system ID. */
const SYSTEM_LABEL = 'runner.switchyard/system-id'
