import type { ContainerWorkspace, ExecutorJob } from '../../src/runner/executor/executor.js'

/** A small job as an executor is given it. */
export function executorJob(changes: Partial<ExecutorJob> = {}): ExecutorJob {
  return {
    jobId: 7,
    projectId: 3,
    pipelineId: 5,
    jobUrl: undefined,
    sha: 'abc',
    ref: 'main',
    concurrentProjectId: 1,
    image: undefined,
    ...changes,
  }
}

export const PLACE: ContainerWorkspace = {
  environment: { A: '1' },
  mounts: [],
  workingDirectory: '/builds/g/p',
  scriptPath: '/builds/g/p.tmp/script',
}
