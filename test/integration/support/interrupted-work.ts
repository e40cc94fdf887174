import { expect } from 'vitest'

import { Api, type JobRecord, type PipelineRecord } from './api.js'
import type { TestProject } from './test-project.js'
import type { TwoCoordinators } from './two-coordinators.js'

const JOBS = 6
const LINES = Array.from({ length: 30 }, (_, line) => `line ${line} of a job that is still running`)

/** Jobs that take three seconds, in which anything may happen to coordinators, and one that uses the artifacts. */
export const CI_FILE = `
work:
  parallel: ${JOBS}
  script:
    - i=0; while [ $i -lt ${LINES.length} ]; do echo "line $i of a job that is still running"; i=$((i + 1)); sleep 0.1; done
    - echo "result of $CI_JOB_ID" > result.txt
  artifacts: {paths: [result.txt]}
after:
  stage: deploy
  script: [cat result.txt]
`
export const FIRST_JOB = `work 1/${JOBS}`
const WORK = Array.from({ length: JOBS }, (_, index) => `work ${index + 1}/${JOBS}`)

/** Each pipeline ran each of its jobs once, and both coordinators have the whole log and the artifact of each. */
export async function expectDoneOnce(
  { system, urls }: TwoCoordinators,
  project: TestProject,
  pipelines: readonly PipelineRecord[],
): Promise<void> {
  expect(await system.api.pipelines(project.id)).toHaveLength(pipelines.length)
  for (const pipeline of pipelines) {
    expect(await project.failures(pipeline)).toEqual([])
    const path = `/projects/${project.id}/pipelines/${pipeline.id}/jobs?include_retried=true&per_page=100`
    const jobs = await system.api.json<JobRecord[]>('GET', path)
    expect(jobs.map(({ name }) => name).sort()).toEqual([...WORK, 'after'].sort())
    for (const job of jobs.filter(({ name }) => name !== 'after')) {
      const logs = new Set<string>()
      for (const url of urls) logs.add(await wholeLog(new Api(url, system.api.token), project, job))
      expect(logs.size).toBe(1)
    }
  }
}

/** A log that has each line once. The artifact is that of the job. */
async function wholeLog(api: Api, project: TestProject, job: JobRecord): Promise<string> {
  const log = await api.trace(project.id, job.id)
  expect(log.split('\n').filter((line) => line.startsWith('line '))).toEqual(LINES)
  const result = await api.request('GET', `/projects/${project.id}/jobs/${job.id}/artifacts/result.txt`)
  expect(await result.text()).toBe(`result of ${job.id}\n`)
  return log
}
