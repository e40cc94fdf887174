import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { expect, test } from 'vitest'

import { openEngineDoor } from '../runner/executor/engine-door.js'
import { onFinished } from '../support/lifetime.js'
import { KILL_ROUNDS } from './support/kill-rounds.js'
import { expectAllOnce, printingJobs } from './support/killed-fleets.js'
import { System } from './support/system.js'

const JOBS = 6

// `killed-fleets.nightly.system.test.ts` also kills engines and networks, of machines by TLS, by ssh and on demand.
test(
  'a runner with two hosts that is killed, while one of them is away, loses no job and runs none twice',
  KILL_ROUNDS,
  async () => {
    const system = await System.startInProcess()
    onFinished(() => system.stop())
    const [near, far] = [await openEngineDoor(), await openEngineDoor({ remote: true })]
    const hosts = [near, far].map(({ host }) => JSON.stringify({ host, concurrent: 3 }))
    await system.startRunner({
      concurrent: JOBS,
      flags: ['--executor', 'docker-hosts', ...hosts.flatMap((host) => ['--docker-hosts', host])],
    })
    const project = await system.createProject()
    const pipeline = await project.pushCi(printingJobs(JOBS))
    await sleep(randomInt(300, 1500)) // any moment of a job's life
    far.shut()
    await system.stopRunner('SIGKILL')
    await system.restartRunner()
    await sleep(randomInt(100, 1000))
    far.open()
    await project.finished(pipeline)
    const { attempts } = await expectAllOnce(system, project, pipeline, JOBS)
    expect(attempts).toBe(JOBS)
  },
)
