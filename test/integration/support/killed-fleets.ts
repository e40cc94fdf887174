import type Docker from 'dockerode'
import { expect } from 'vitest'

import { pause } from '../../../src/lib/pause.js'
import type { JobRecord, PipelineRecord } from './api.js'
import type { System } from './system.js'
import type { TestProject } from './test-project.js'

const LINES = Array.from({ length: 10 }, (_, line) => `line ${line} äöü`)

/** Attempts of a job: the first one, and as many retries as the CI language permits. */
const MAX_ATTEMPTS = 3

/** `number` jobs that print ten lines, with a pause of `seconds` after each. A job that its machine fails runs again. */
export function printingJobs(number: number, seconds = 0.2): string {
  return `
work:
  parallel: ${number}
  retry: {max: ${MAX_ATTEMPTS - 1}, when: runner_system_failure}
  script:
    - i=0; while [ $i -lt ${LINES.length} ]; do echo "line $i äöü"; i=$((i+1)); sleep ${seconds}; done
`
}

/** One kind of what is killed, and what is done to have it back. Returns when it is there again. */
export type Kill = (below: (limit: number) => number) => Promise<void>

/** Kills at random moments of the jobs until all have ended or `most` kills were made. Returns the number of kills. */
export async function killUntilFinished(
  kill: Kill,
  { most, below, finished }: { most: number; below: (limit: number) => number; finished: Promise<unknown> },
): Promise<number> {
  const isOver = new AbortController()
  const ended = finished.finally(() => isOver.abort())
  let kills = 0
  for (; kills < most; kills++) {
    await pause(500 + below(4000), isOver.signal)
    if (isOver.signal.aborted) break
    await kill(below)
  }
  await ended
  return kills
}

export interface Tally {
  jobs: number
  /** Attempts, with those of jobs that ran again. */
  attempts: number
  /** Jobs without success that were not run again although they could be. */
  lost: number
  double: number
  /** Jobs whose machine was killed in each of their attempts. */
  exhausted: number
  /** The last line of the log of each attempt that failed. */
  reasons: string[]
}

/**
 * Fails unless each job succeeded exactly once with each line exactly once, or used up its attempts, and each attempt that
 * failed did so because of its machine, with a log that ends early.
 */
export async function expectAllOnce(
  { api }: System,
  project: TestProject,
  pipeline: PipelineRecord,
  number: number,
): Promise<Tally> {
  const attempts = await allAttempts(api, project, pipeline)
  const logs = new Map(
    await Promise.all(attempts.map(async (job) => [job.id, await project.trace(job)] as const)),
  )
  const names = [...new Set(attempts.map(({ name }) => name))]
  const successes = names.map((name) =>
    attempts.filter((job) => job.name === name && job.status === 'success'),
  )
  const failed = names.filter((_, index) => successes[index]?.length === 0)
  const countOf = (name: string) => attempts.filter((job) => job.name === name).length
  const failures = attempts.filter(({ status }) => status !== 'success')
  const tally = {
    jobs: names.length,
    attempts: attempts.length,
    lost: failed.filter((name) => countOf(name) < MAX_ATTEMPTS).length,
    double: successes.filter((jobs) => jobs.length > 1).length,
    exhausted: failed.filter((name) => countOf(name) === MAX_ATTEMPTS).length,
    reasons: failures.map(({ id }) => logs.get(id)?.trimEnd().split('\n').at(-1) ?? ''),
  }
  const shown = failures.map((job) => `${job.name} ${job.failure_reason}: ${logs.get(job.id)?.slice(-500)}`)
  expect(tally, shown.join('\n')).toMatchObject({ jobs: number, lost: 0, double: 0 })
  for (const job of attempts) {
    const lines = linesOf(logs.get(job.id) ?? '')
    const expected = job.status === 'success' ? LINES : LINES.slice(0, lines.length)
    expect(lines, logs.get(job.id)).toEqual(expected)
  }
  for (const job of failures) expect(job.failure_reason, logs.get(job.id)).toBe('runner_system_failure')
  return tally
}

async function allAttempts(
  api: System['api'],
  project: TestProject,
  pipeline: PipelineRecord,
): Promise<JobRecord[]> {
  const attempts: JobRecord[] = []
  for (let page = 1; ; page++) {
    const more = await api.json<JobRecord[]>(
      'GET',
      `/projects/${project.id}/pipelines/${pipeline.id}/jobs?include_retried=true&per_page=100&page=${page}`,
    )
    attempts.push(...more)
    if (more.length < 100) return attempts
  }
}

/** What the script printed, in order; a job that ran twice would have printed it twice. */
function linesOf(trace: string): string[] {
  return trace.split('\n').filter((line) => /^line \d+ äöü$/.test(line))
}

/** Containers, volumes and networks at an engine that has none of its own. */
export async function leftAt(docker: Docker): Promise<string[]> {
  const containers = await docker.listContainers({ all: true })
  const { Volumes: volumes } = await docker.listVolumes()
  const networks = await docker.listNetworks()
  const isOwn = (name: string) => ['bridge', 'host', 'none'].includes(name)
  return [
    ...containers.map(({ Names }) => Names.join()),
    ...volumes.map(({ Name }) => Name),
    ...networks.map(({ Name }) => Name).filter((name) => !isOwn(name)),
  ]
}
