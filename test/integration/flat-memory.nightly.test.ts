import { expect, onTestFinished, test } from 'vitest'

import { peakMemoryOf } from '../support/process-memory.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const MEGABYTE = 1024 * 1024
/** The memory limit of a runner, whatever the size of its data. */
const LIMIT_MEGABYTES = 200

/** In megabytes; every second file is incompressible. The soak suite says more. */
const FILES = Number(process.env['SWITCHYARD_FLOW_MEGABYTES'] ?? 100)
const LOG = Number(process.env['SWITCHYARD_FLOW_LOG_MEGABYTES'] ?? 32)
/** Seconds without end for a disk that others use too. */
const TEST_TIMEOUT = 3600

/** A tenth of the whole in one piece of noise and one of text each, five times; thousands of small files beside them. */
const CI_FILE = `
stages: [make, use]
.fill: &fill |
  fill() {
    mkdir -p $1/small
    for part in 1 2 3 4 5; do
      head -c ${tenth(FILES)} /dev/urandom > $1/noise-$part
      { yes "$1 $part: all work and no play makes a dull file" || true; } | head -c ${tenth(FILES)} > $1/text-$part
    done
    md5sum $1/noise-* $1/text-* > $1/sums
    for number in $(seq 2000); do echo "$1 $number" > $1/small/$number; done
  }
make:
  stage: make
  tags: [first]
  cache: { key: flow, paths: [cached/] }
  artifacts: { paths: [made/] }
  script:
    - *fill
    - fill made
    - fill cached
use:
  stage: use
  tags: [second]
  cache: { key: flow, paths: [cached/], policy: pull }
  script:
    - du -sm made cached
    - md5sum -c -s made/sums
    - md5sum -c -s cached/sums
    - test "$(ls made/small cached/small | wc -l)" -gt 4000
print:
  stage: make
  tags: [second]
  script:
    - '{ yes "a line of a log that is as long as lines of logs are, or so one hears" || true; } | head -c ${LOG * MEGABYTE}'
`

function tenth(megabytes: number): number {
  return Math.round((megabytes * MEGABYTE) / 10)
}

test(
  'the memory of a runner stays flat whatever artifacts, caches and logs go through it',
  async () => {
    const plenty = String(1000 * 1024 * MEGABYTE)
    const system = await System.start(undefined, {
      SWITCHYARD_ARTIFACTS_MAX_BYTES: plenty,
      SWITCHYARD_CACHES_MAX_BYTES: plenty,
      SWITCHYARD_CACHES_PROJECT_MAX_BYTES: plenty,
      SWITCHYARD_TRACE_MAX_BYTES: plenty,
    })
    onTestFinished(() => system.stop())
    const flags = ['--output-limit', String(4 * LOG * 1024)]
    await system.startRunner({ tags: ['first'], flags })
    await system.startRunner({ tags: ['second'], flags })
    const project = await system.createProject()
    const pipeline = await project.pushCi(CI_FILE)
    await until(
      'the pipeline to finish',
      async () => {
        const { status } = await system.api.pipeline(project.id, pipeline.id)
        return ['success', 'failed'].includes(status) || undefined
      },
      () => system.log(),
      TEST_TIMEOUT,
    )

    expect(await project.failures(pipeline)).toEqual([])
    const { artifacts } = await project.job(pipeline, 'make')
    expect(artifacts.map(({ file_type }) => file_type)).toEqual(['archive', 'trace'])
    const peaks = await Promise.all(system.runnerPids().map(peakMemoryOf))
    const [making, using] = peaks.map((bytes) => Math.round(bytes / MEGABYTE))
    process.stdout.write(
      `${FILES} MB of files each way: ${making} MB made and sent, ${using} MB restored; log ${LOG} MB\n`,
    )
    expect(Math.max(...peaks), `${making} and ${using} MB`).toBeLessThan(LIMIT_MEGABYTES * MEGABYTE)
  },
  TEST_TIMEOUT * 1000,
)
