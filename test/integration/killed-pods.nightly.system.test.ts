import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { randomFrom } from '../coordinator/ci/engine/support/random.js'
import { onFinished } from '../support/lifetime.js'
import type { NetworkDoor } from '../support/network-door.js'
import {
  openDoorToCluster,
  openTestCluster,
  TEST_CLUSTER,
  type TestNamespace,
} from '../support/test-cluster.js'
import type { JobRecord, PipelineRecord } from './support/api.js'
import { startClusterRunner } from './support/cluster-runner.js'
import { expectAllOnce, type Kill, killUntilFinished, printingJobs } from './support/killed-fleets.js'
import { System } from './support/system.js'
import type { TestProject } from './support/test-project.js'
import { until } from './support/until.js'

const JOBS = Number(process.env['SWITCHYARD_KILL_JOBS'] ?? 60)
const MAX_KILLS = 6
/** Milliseconds for which the API server is away. */
const API_AWAY = { least: 500, most: 20_000 }
/** A random one, or that of SWITCHYARD_TEST_SEEDS, to repeat a failure. */
const SEED = Number(process.env['SWITCHYARD_TEST_SEEDS']?.split(',')[0] ?? randomInt(2 ** 31))

/** A script of this row is killed in its middle: it lasts longer than the runner takes to deliver its first lines. */
const SECONDS_FOR_EACH_LINE = { runner: 0.2, 'one of two replicas': 0.2, 'API server': 0.2, pod: 1 }
const KILLED = ['runner', 'one of two replicas', 'API server', 'pod'] as const
const JOB_LABEL = 'runner.switchyard/job-id'
const { missing } = TEST_CLUSTER

describe.skipIf(missing !== undefined)(
  `${JOBS} jobs in a cluster, seed ${SEED} (${missing ?? 'set'})`,
  () => {
    test.each(KILLED)('%s killed again and again', async (killed) => {
      const below = randomFrom(SEED)
      const system = await System.startInProcess()
      onFinished(() => system.stop())
      const cluster = await openTestCluster()
      const door = await openDoor(system, cluster)
      if (killed === 'one of two replicas') await system.startReplica()
      const project = await system.createProject()
      const pipeline = await project.pushCi(printingJobs(JOBS, SECONDS_FOR_EACH_LINE[killed]))
      const finished = project.finished(pipeline)
      const kills = await killUntilFinished(killOf(killed, { system, cluster, door, project, pipeline }), {
        most: MAX_KILLS,
        below,
        finished,
      })
      const tally = await expectAllOnce(system, project, pipeline, JOBS)
      // Only the pod itself takes a script with it.
      expect(tally.attempts, tally.reasons.join('\n')).toBe(killed === 'pod' ? JOBS + kills : JOBS)
      await expect.poll(() => cluster.leftovers(), { interval: 500, timeout: 60_000 }).toEqual([])
      await system.stopRunner('SIGQUIT')
      process.stdout.write(`${killed} at ${cluster.version}: ${JSON.stringify({ kills, ...tally })}\n`)
    })
  },
)

/** Starts a runner that reaches the API server through a door. */
async function openDoor(system: System, cluster: TestNamespace): Promise<NetworkDoor> {
  const kubeconfig = join(system.directory, 'kubeconfig')
  const door = await openDoorToCluster(kubeconfig)
  await startClusterRunner(system, cluster, { kubeconfig, concurrent: 6 })
  return door
}

interface Scene {
  system: System
  cluster: TestNamespace
  door: NetworkDoor
  project: TestProject
  pipeline: PipelineRecord
}

function killOf(killed: (typeof KILLED)[number], scene: Scene): Kill {
  const { system, cluster, door } = scene
  switch (killed) {
    case 'runner':
    case 'one of two replicas':
      return async () => {
        await system.stopRunner('SIGKILL')
        await system.restartRunner()
      }
    case 'API server':
      return async (below) => {
        door.shut()
        await sleep(API_AWAY.least + below(API_AWAY.most - API_AWAY.least))
        door.open()
      }
    case 'pod':
      return async () => {
        const job = await jobInItsScript(scene)
        await cluster.api.deleteCollectionNamespacedPod({
          namespace: cluster.namespace,
          labelSelector: `${JOB_LABEL}=${job.id}`,
          gracePeriodSeconds: 0,
        })
      }
  }
}

/** Waits for a job that has printed, and has more to print than it prints before its pod is gone. */
function jobInItsScript({ system, project, pipeline }: Scene): Promise<JobRecord> {
  return until('a job in its script', async () => {
    const jobs = await system.api.jobs(project.id, pipeline.id)
    for (const job of jobs.filter(({ status }) => status === 'running')) {
      const trace = await project.trace(job)
      if (trace.includes('line 0') && !trace.includes('line 6')) return job
    }
    return undefined
  })
}
