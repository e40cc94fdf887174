import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { JobArtifact, JobVariable } from '../../../src/protocol/job-payload.js'
import type { UploadTimeouts } from '../../../src/runner/artifacts/upload-attempt.js'
import { CoordinatorClient, type JobIdentity } from '../../../src/runner/client/coordinator-client.js'
import { JOB_TIMINGS, type JobTimings } from '../../../src/runner/job/job-context.js'
import { JobControl } from '../../../src/runner/job/job-control.js'
import type { UploadNeeds } from '../../../src/runner/job/stages/artifacts.js'
import { collectVariables } from '../../../src/runner/variables/job-variables.js'
import { jobPayload } from '../../support/job-payload.js'
import { onFinished } from '../../support/lifetime.js'
import { runnerRegistration } from '../../support/running-runner.js'
import { RecordedLog } from '../executor/docker-jobs.js'
import { openWorkspace } from '../workspace/workspaces.js'

export interface UploadingJob {
  job: UploadNeeds
  log: RecordedLog
  control: JobControl
  /** Of the host. */
  work: string
}

export interface UploadSetup {
  files: Record<string, string | Buffer>
  artifacts?: JobArtifact[]
  variables?: JobVariable[]
  identity?: JobIdentity
  /** Announced by the coordinator. */
  limit?: number
  timings?: Partial<JobTimings>
  timeouts?: Partial<UploadTimeouts>
}

/** A job whose script has ended: files in a workspace as jobs have it, and a client of the coordinator at `url`. */
export async function uploadingJob(url: string, setup: UploadSetup): Promise<UploadingJob> {
  const { workspace, work } = await openWorkspace()
  for (const [name, content] of Object.entries(setup.files)) {
    await mkdir(dirname(join(work, name)), { recursive: true })
    await writeFile(join(work, name), content)
  }
  const identity = setup.identity ?? { id: 124, token: 'job-token-of-124' }
  const client = new CoordinatorClient({ url, token: 'glrt-runner-token', systemId: 's_0123456789ab' })
  onFinished(() => client.destroy())
  const payload = jobPayload({
    ...identity,
    artifacts: setup.artifacts ?? [],
    variables: setup.variables ?? [],
    features: { ...(setup.limit !== undefined && { max_artifacts_size: setup.limit }) },
  })
  const registration = runnerRegistration(url)
  const [log, control] = [new RecordedLog(), new JobControl()]
  const job: UploadNeeds = {
    payload,
    client,
    job: identity,
    registration: { ...registration, artifact: { ...registration.artifact, ...setup.timeouts } },
    workspace,
    variables: collectVariables({
      payload,
      paths: workspace,
      configured: [],
      runnerToken: registration.token,
      concurrentId: 0,
      concurrentProjectId: 0,
      timeoutSeconds: 3600,
    }),
    log,
    control,
    timings: { ...JOB_TIMINGS, uploadRetry: 1, silenceTimeout: 0, ...setup.timings },
  }
  return { job, log, control, work }
}
