import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { namesIn, readIfThere } from '../../src/lib/files.js'
import type { InstanceRecord } from '../../src/runner/executor/docker/autoscaler/model/instance.js'
import { removeEngine } from '../../src/runner/executor/docker/autoscaler/plugins/engine-process.js'
import { canStartEngine } from '../support/private-engine.js'
import type { JobRecord } from './support/api.js'
import { KILL_ROUNDS } from './support/kill-rounds.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const JOBS = 20
const KILLS = 4
const LINES = Array.from({ length: 10 }, (_, line) => `line ${line}`)

/** Engines of their own need root and `dockerd`. */
describe.skipIf(!canStartEngine)('machines on demand', () => {
  let system: System

  beforeEach(async () => {
    system = await System.start()
  })

  afterEach(async () => {
    await system.stopRunner('SIGQUIT')
    // A test that failed may leave some, which would outlive it.
    for (const name of await namesIn(engines())) await removeEngine(join(engines(), name))
    await system.stop()
  })

  test(
    'no job is lost or runs twice, and no machine is left, when runners and machines are killed',
    KILL_ROUNDS,
    async () => {
      await startRunner({ max_instances: 3, capacity_per_instance: 2, max_use_count: 6 }, { idle_time: '1s' })
      const project = await system.createProject()
      const pipeline = await project.pushCi(`
work:
  parallel: ${JOBS}
  retry: { max: 2, when: runner_system_failure }
  script:
    - i=0; while [ $i -lt ${LINES.length} ]; do echo "line $i"; i=$((i+1)); sleep 0.2; done
`)
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(randomInt(500, 4000)) // any moment of a machine's life
        await system.stopRunner('SIGKILL')
        if (kill % 2 === 1) await killMachine()
        await system.restartRunner()
      }
      await project.finished(pipeline)
      expect(await project.failures(pipeline)).toEqual([])
      const jobs = await system.api.json<JobRecord[]>(
        'GET',
        `/projects/${project.id}/pipelines/${pipeline.id}/jobs?per_page=100`,
      )
      expect(jobs).toHaveLength(JOBS)
      for (const job of jobs) expect(linesOf(await project.trace(job))).toEqual(LINES)
      await untilNoMachines()
    },
  )

  // `npm run bench -- benchFleet` has the time that it takes.
  test('a pool of five is used up by five jobs', async () => {
    await startRunner({ max_instances: 5 }, { idle_count: 5, idle_time: '1m' })
    await until(
      'five machines to be ready',
      async () =>
        (await records()).filter(({ state }) => state === 'ready').length === 5 ? true : undefined,
      () => system.log(),
    )
    const project = await system.createProject()
    const pipeline = await project.pushCi('work: { parallel: 5, script: [sleep 20] }')
    await project.finished(pipeline)
    expect(await project.failures(pipeline)).toEqual([])
    const used = await records()
    expect(used).toHaveLength(5)
    expect(used.filter((record) => record.used === 0)).toEqual([])
    await system.stopRunner('SIGQUIT')
    expect(await namesIn(engines())).toEqual([])
  })

  async function startRunner(autoscaler: object, policy: object): Promise<void> {
    const settings = {
      plugin: 'docker',
      plugin_config: { images: [system.image] },
      pool: 'ci',
      delete_instances_on_shutdown: true,
      update_interval: '1s',
      update_interval_when_expecting: '200ms',
      ...autoscaler,
      policy: [policy],
    }
    await system.startRunner({
      concurrent: 10,
      flags: [
        ...['--executor', 'docker-autoscaler', '--autoscaler', JSON.stringify(settings)],
        ...['--docker-network-mode', 'none', '--docker-pull-policy', 'never'],
      ],
    })
  }

  function recordsFolder(): string {
    return join(system.directory, 'runner-data-0/autoscaler/pools/ci')
  }

  async function records(): Promise<InstanceRecord[]> {
    // Beside them are files that are being written.
    const names = (await namesIn(recordsFolder())).filter((name) => name.endsWith('.json'))
    return await Promise.all(
      names.map(async (name) => {
        const text = await readFile(join(recordsFolder(), name), 'utf8')
        return JSON.parse(text) as InstanceRecord
      }),
    )
  }

  function engines(): string {
    return join(system.directory, 'runner-data-0/autoscaler/engines')
  }

  async function killMachine(): Promise<void> {
    const [name] = await namesIn(engines())
    if (name === undefined) return
    // A machine that is not created yet, or is gone already, has no process.
    const pid = Number((await readIfThere(join(engines(), name, 'pid'))) ?? 0)
    if (pid > 1 && existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
  }

  async function untilNoMachines(): Promise<void> {
    await until(
      'the machines to be gone',
      // A record is removed when a list no longer has its machine.
      async () => ((await isEmpty(engines())) && (await isEmpty(recordsFolder())) ? true : undefined),
      () => system.log(),
    )
  }
})

async function isEmpty(folder: string): Promise<boolean> {
  return (await namesIn(folder)).length === 0
}

/** What the script printed, in order; a job that ran twice would have printed it twice. */
function linesOf(trace: string): string[] {
  return trace.split('\n').filter((line) => /^line \d+$/.test(line))
}
