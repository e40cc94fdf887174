import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'

import { KubeConfig, SchedulingV1Api } from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'

import { onFinished } from '../support/lifetime.js'
import { openNetworkDoor } from '../support/network-door.js'
import { authConfigFor, REGISTRY_USER, startRegistry } from '../support/registry.js'
import { SERVER_HOST } from '../support/server-host.js'
import { tempDir } from '../support/temp-dir.js'
import {
  openDoorToCluster,
  openTestCluster,
  TEST_CLUSTER,
  type TestNamespace,
} from '../support/test-cluster.js'
import type { JobRecord, PipelineRecord } from './support/api.js'
import { startClusterRunner } from './support/cluster-runner.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'

const { missing } = TEST_CLUSTER

interface Scene {
  system: System
  cluster: TestNamespace
  project: TestProject
}

interface EndedJob extends JobRecord {
  log: string
}

async function openScene(options: Parameters<typeof startClusterRunner>[2] = {}): Promise<Scene> {
  const cluster = await openTestCluster()
  const system = await System.startInProcess()
  onFinished(() => system.stop())
  await startClusterRunner(system, cluster, options)
  return { system, cluster, project: await system.createProject() }
}

/** Waits for the end of a pipeline. Returns all attempts of its jobs, first ones first. */
async function ended({ system, project }: Scene, pipeline: PipelineRecord): Promise<EndedJob[]> {
  await project.finished(pipeline)
  const path = `/projects/${project.id}/pipelines/${pipeline.id}/jobs?include_retried=true&per_page=100`
  const jobs = await system.api.json<JobRecord[]>('GET', path)
  return Promise.all(
    jobs.toSorted((a, b) => a.id - b.id).map(async (job) => ({ ...job, log: await project.trace(job) })),
  )
}

async function runJobs(scene: Scene, ciFile: string): Promise<EndedJob[]> {
  return ended(scene, await scene.project.pushCi(ciFile))
}

/** Of a job that prints `begun`. */
async function podOfBegunJob({ cluster, project }: Scene, pipeline: PipelineRecord) {
  await project.traceContaining(await project.job(pipeline, 'job'), '\nbegun')
  const { items } = await cluster.api.listNamespacedPod({ namespace: cluster.namespace })
  const [pod] = items
  if (!pod?.metadata?.name || !pod.spec?.nodeName) throw new Error('no pod')
  return { name: pod.metadata.name, nodeName: pod.spec.nodeName }
}

const RUNS_AGAIN = 'retry: {max: 1, when: runner_system_failure}'

describe.skipIf(missing !== undefined)(`a job in a cluster (${missing ?? 'set'})`, () => {
  test('whose pod no node takes says what the scheduler says, and fails with it', async () => {
    const settings = 'poll_timeout = 5\nnode_selector = {"kubernetes.io/hostname" = "nowhere"}'
    const [job, ...others] = await runJobs(await openScene({ settings }), 'job: {script: ["true"]}')
    expect(others).toEqual([])
    expect(job).toMatchObject({ status: 'failed', failure_reason: 'runner_system_failure' })
    const sentence = /\d+\/\d+ nodes are available: /g
    expect(job?.log.match(sentence)?.length, job?.log).toBeGreaterThanOrEqual(2)
  })

  test('whose pod is evicted fails with the words of its node, and runs again if it wants to', async () => {
    const settings = `[[runners.kubernetes.volumes.empty_dir]]
name = "small"
mount_path = "/small"
size_limit = "16Mi"`
    const scene = await openScene({ settings })
    const script = 'dd if=/dev/zero of=/small/large bs=1M count=64; sleep 600'
    const attempts = await runJobs(scene, `job:\n  ${RUNS_AGAIN}\n  script: [${script}]`)
    expect(attempts).toHaveLength(2)
    for (const { status, failure_reason: reason, log } of attempts) {
      expect({ status, reason }, log).toEqual({ status: 'failed', reason: 'runner_system_failure' })
      expect(log).toMatch(/was evicted by its node: .*volume .*limit/i)
    }
  })

  test('whose pod makes room for one of a higher priority fails, and runs again if it wants to', async () => {
    const scene = await openScene({ settings: 'cpu_request = "1100m"' })
    const { cluster, project } = scene
    const important = await createPriority()
    const pipeline = await project.pushCi(`job:
  ${RUNS_AGAIN}
  script: ['if [ -n "$FIRST" ]; then exit 0; fi; echo begun; sleep 600']`)
    const { nodeName } = await podOfBegunJob(scene, pipeline)
    await scene.system.api.request('POST', `/projects/${project.id}/variables`, {
      key: 'FIRST',
      value: 'over',
    })
    await cluster.api.createNamespacedPod({
      namespace: cluster.namespace,
      body: {
        metadata: { name: 'important' },
        spec: {
          priorityClassName: important,
          nodeSelector: { 'kubernetes.io/hostname': nodeName },
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: 0,
          containers: [
            {
              name: 'important',
              image: scene.system.image,
              imagePullPolicy: 'Never',
              command: ['sleep', '20'],
              resources: { requests: { cpu: '1100m' } },
            },
          ],
        },
      },
    })
    const [first, second, ...others] = await ended(scene, pipeline)
    expect(others).toEqual([])
    expect(first, first?.log).toMatchObject({ status: 'failed', failure_reason: 'runner_system_failure' })
    expect(first?.log).toMatch(/pod \S+ was (?:deleted by another client|preempted|ended)/)
    expect(second?.status, second?.log).toBe('success')
  })

  test('that exceeds the quota of its namespace says so', async () => {
    const scene = await openScene({ concurrent: 2 })
    await scene.cluster.api.createNamespacedResourceQuota({
      namespace: scene.cluster.namespace,
      body: { metadata: { name: 'one' }, spec: { hard: { pods: '1' } } },
    })
    const jobs = await runJobs(scene, 'job: {parallel: 2, script: [sleep 15]}')
    const [refused, ...others] = jobs.filter(({ status }) => status === 'failed')
    expect(others).toEqual([])
    expect(jobs.map(({ status }) => status).toSorted()).toEqual(['failed', 'success'])
    expect(refused?.failure_reason).toBe('runner_system_failure')
    expect(refused?.log).toMatch(/quota of the namespace is used up .*exceeded quota: one/)
  })

  test('of a private image is pulled with its credentials, which nothing keeps', async () => {
    const registry = await startRegistry({ withPassword: true })
    const port = Number(registry.host.split(':')[1])
    await openNetworkDoor({ host: SERVER_HOST, port }, () => connect(port, '127.0.0.1'))
    const scene = await openScene()
    await registry.pushCopy('private:1', scene.system.image)
    const host = `${SERVER_HOST}:${port}`
    const withPassword = (password: string) => {
      const variable = JSON.stringify(authConfigFor([host], { ...REGISTRY_USER, password }))
      return `job:\n  image: ${host}/private:1\n  variables: {DOCKER_AUTH_CONFIG: ${variable}}\n  script: [echo inside]`
    }
    const [refused] = await runJobs(scene, withPassword('wrong'))
    expect(refused, refused?.log).toMatchObject({ status: 'failed', failure_reason: 'image_pull_failure' })
    expect(refused?.log).toContain(`${host}/private:1`)
    const [job] = await runJobs(scene, withPassword(REGISTRY_USER.password))
    expect(job?.status, job?.log).toBe('success')
    expect(job?.log).toContain('\ninside')
    await expect.poll(() => scene.cluster.leftovers()).toEqual([])
  })

  test('runs on while the API server is away for three minutes, and its log is complete', async () => {
    const kubeconfig = join(await tempDir(), 'kubeconfig')
    const door = await openDoorToCluster(kubeconfig)
    const scene = await openScene({ kubeconfig })
    const lines = Array.from({ length: 190 }, (_, second) => `second ${second}`)
    const pipeline = await scene.project.pushCi(`job:
  script: ['echo begun; for i in $(seq 0 ${lines.length - 1}); do echo "second $i"; sleep 1; done']`)
    await podOfBegunJob(scene, pipeline)
    door.shut()
    await new Promise((resolve) => setTimeout(resolve, 180_000))
    door.open()
    const [job, ...others] = await ended(scene, pipeline)
    expect(others).toEqual([])
    expect(job?.status, job?.log).toBe('success')
    expect(job?.log.match(/^second \d+$/gm)).toEqual(lines)
  })

  test('has its directories on a claim, where its project begins with nothing but its sources', async () => {
    const settings = `[[runners.kubernetes.volumes.pvc]]
name = "builds"
mount_path = "/builds"
[runners.kubernetes.init_permissions_container_security_context]
run_as_user = 0`
    const scene = await openScene({ settings })
    await createClaim(scene.cluster)
    const ci = `job:
  variables: {GIT_CLEAN_FLAGS: none}
  script:
    - cat /builds/kept left || true
    - echo "kept of $CI_JOB_ID" >/builds/kept
    - echo "left of $CI_JOB_ID" >left`
    const [first] = await runJobs(scene, ci)
    const [second] = await runJobs(scene, `${ci}\n# again`)
    expect(first?.status, first?.log).toBe('success')
    expect(second?.log).toContain(`\nkept of ${first?.id}\n`)
    expect(second?.log).not.toContain(`\nleft of ${first?.id}\n`)
  })
})

/** A class of its own for the test. Returns its name. */
async function createPriority(): Promise<string> {
  const config = new KubeConfig()
  config.loadFromFile(TEST_CLUSTER.kubeconfig)
  const api = config.makeApiClient(SchedulingV1Api)
  const name = `switchyard-test-${randomBytes(4).toString('hex')}`
  await api.createPriorityClass({ body: { metadata: { name }, value: 1000 } })
  onFinished(async () => {
    await api.deletePriorityClass({ name })
  })
  return name
}

/** A volume of a node, which a claim `builds` of a namespace takes. */
async function createClaim({ api, namespace }: TestNamespace): Promise<void> {
  const name = `switchyard-test-${randomBytes(4).toString('hex')}`
  const size = { storage: '1Gi' }
  await api.createPersistentVolume({
    body: {
      metadata: { name },
      spec: {
        capacity: size,
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: `/tmp/${name}`, type: 'DirectoryOrCreate' },
        storageClassName: name,
      },
    },
  })
  onFinished(async () => {
    await api.deletePersistentVolume({ name })
  })
  await api.createNamespacedPersistentVolumeClaim({
    namespace,
    body: {
      metadata: { name: 'builds' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: size }, storageClassName: name },
    },
  })
}
