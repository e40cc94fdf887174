import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'

import { CoreV1Api, KubeConfig, Log, Watch } from '@kubernetes/client-node'

import { IMAGE } from './docker.mjs'

const run = promisify(execFile)

const CONTAINER = 'bench'

/** @typedef {{ kubeconfig: string, helperImage: string, loadCommand: string }} FoundCluster */
/** @typedef {import('@kubernetes/client-node').V1Pod} V1Pod */

/**
 * The cluster that the environment names for tests (docs/settings.md), or which variables are not set.
 * @returns {FoundCluster | { missing: string }}
 */
export function findCluster() {
  const names = {
    kubeconfig: 'SWITCHYARD_TEST_KUBECONFIG',
    helperImage: 'SWITCHYARD_TEST_KUBERNETES_HELPER_IMAGE',
    loadCommand: 'SWITCHYARD_TEST_KUBERNETES_LOAD',
  }
  const absent = Object.values(names).filter((name) => !process.env[name])
  if (absent.length > 0) return { missing: `set ${absent.join(', ')}` }
  const read = (/** @type {string} */ name) => process.env[name] ?? ''
  return {
    kubeconfig: read(names.kubeconfig),
    helperImage: read(names.helperImage),
    loadCommand: read(names.loadCommand),
  }
}

/** Pods without a runner, in a namespace of their own: what a client of the API server has to wait for. */
export class BarePods {
  /**
   * @param {KubeConfig} config
   * @param {string} namespace
   */
  constructor(config, namespace) {
    this.config = config
    this.namespace = namespace
    this.api = config.makeApiClient(CoreV1Api)
  }

  /**
   * Creates the namespace, and gives the nodes the image of the benchmarks.
   * @param {FoundCluster} cluster
   */
  static async open({ kubeconfig, loadCommand }) {
    await run('sh', ['-c', `docker save "$0" | ${loadCommand}`, IMAGE])
    const config = new KubeConfig()
    config.loadFromFile(kubeconfig)
    const pods = new BarePods(config, `switchyard-bench-${randomBytes(4).toString('hex')}`)
    await pods.api.createNamespace({ body: { metadata: { name: pods.namespace } } })
    return pods
  }

  async close() {
    await this.api.deleteNamespace({ name: this.namespace })
  }

  /**
   * Milliseconds from the creation of a pod until the API server says that its command has succeeded.
   * @param {string} script
   */
  async timeToSuccess(script) {
    const start = performance.now()
    return this.withPod(script, async (name) => {
      await this.untilPhase(name, ['Succeeded'])
      return performance.now() - start
    })
  }

  /**
   * Milliseconds from the creation of a pod to the end of its log, which is followed as soon as there is one and thrown away.
   * @param {string} script
   */
  async timeLog(script) {
    const start = performance.now()
    return this.withPod(script, async (name) => {
      await this.untilPhase(name, ['Running', 'Succeeded'])
      let bytes = 0
      await new Promise((resolve, reject) => {
        const sink = new Writable({
          write(/** @type {Buffer} */ chunk, _encoding, done) {
            bytes += chunk.length
            done()
          },
        })
        sink.once('finish', resolve).once('error', reject)
        new Log(this.config).log(this.namespace, name, CONTAINER, sink, { follow: true }).catch(reject)
      })
      return { milliseconds: performance.now() - start, bytes }
    })
  }

  /**
   * @template T
   * @param {string} script
   * @param {(name: string) => Promise<T>} measure
   * @returns {Promise<T>}
   */
  async withPod(script, measure) {
    const { namespace } = this
    const name = `bare-${randomBytes(4).toString('hex')}`
    const container = {
      name: CONTAINER,
      image: IMAGE,
      imagePullPolicy: 'IfNotPresent',
      command: ['sh', '-c', script],
    }
    const spec = { restartPolicy: 'Never', automountServiceAccountToken: false, containers: [container] }
    await this.api.createNamespacedPod({ namespace, body: { metadata: { name }, spec } })
    try {
      return await measure(name)
    } finally {
      await this.api.deleteNamespacedPod({ name, namespace, gracePeriodSeconds: 0 })
    }
  }

  /**
   * @param {string} name
   * @param {string[]} phases
   */
  async untilPhase(name, phases) {
    const path = `/api/v1/namespaces/${this.namespace}/pods`
    /** @type {AbortController | undefined} */
    let watch
    try {
      await new Promise((resolve, reject) => {
        const changed = (/** @type {string} */ _type, /** @type {V1Pod} */ { status }) => {
          const phase = status?.phase ?? ''
          if (phases.includes(phase)) resolve(undefined)
          else if (phase === 'Failed') reject(new Error(`The pod ${name} failed`))
        }
        const ended = (/** @type {unknown} */ error) =>
          reject(new Error('The watch has ended', { cause: error }))
        new Watch(this.config)
          .watch(path, { fieldSelector: `metadata.name=${name}` }, changed, ended)
          .then((controller) => (watch = controller), reject)
      })
    } finally {
      watch?.abort()
    }
  }
}
