import { expect, test } from 'vitest'

import { coresOfJob } from '../../../src/runner/job/prepare-executor.js'

test.each([
  [{}, undefined],
  [{ cpus: 0 }, undefined],
  [{ cpus: 0.25 }, 1],
  [{ cpus: 2.9 }, 2],
  [{ cpusetCpus: '3' }, 1],
  [{ cpusetCpus: '0-2,4' }, 4],
  [{ cpusetCpus: '4,0-2,1-3' }, 5],
  [{ cpus: 2, cpusetCpus: '0-7' }, 2],
  [{ cpus: 6, cpusetCpus: '1,3,5' }, 3],
])('a container with %j lets the runner compress with %j cores', (limits, cores) => {
  expect(coresOfJob(limits)).toBe(cores)
})
