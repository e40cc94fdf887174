import { Archive, ArchiveX, Lock } from 'lucide'
import type { ComponentChildren } from 'preact'

import { addressOf } from '../../../addresses/address-of.js'
import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'
import { isOver } from '../../job-log/use-job.js'
import { LinkButton } from '../../kit/button.js'
import { CodeBlock } from '../../kit/code-block.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import { fullTime, Time } from '../../kit/time.js'

interface ArtifactsOrReasonProps {
  project: string
  job: DetailedJob
  /** For whom the artifacts are, if not for the reader. */
  readers: string | undefined
  children: ComponentChildren
}

/** The artifacts of a job; in their place, why there are none to see. */
export function ArtifactsOrReason({ project, job, readers, children }: ArtifactsOrReasonProps) {
  if (!job.artifacts_file) return <NoArtifacts project={project} job={job} />
  if (readers !== undefined) return <OthersArtifacts project={project} job={job} readers={readers} />
  return <>{children}</>
}

/** In place of the artifacts of a job that has none: when they expired, or what the CI file would say. */
function NoArtifacts({ project, job }: { project: string; job: DetailedJob }) {
  const { artifacts_expired_at: expired, erased_at: erased } = job
  const toJob = (
    <LinkButton href={addressOf('jobs/job', { project, id: String(job.id) })}>Open the job</LinkButton>
  )
  if (expired !== null) {
    return (
      <Panel>
        <Empty
          icon={ArchiveX}
          title={
            <>
              The artifacts expired <Time value={expired} />.
            </>
          }
          action={toJob}
        >
          They were deleted after {fullTime(expired)}. Retry the job to create them again.
        </Empty>
      </Panel>
    )
  }
  if (erased !== null) {
    return (
      <Panel>
        <Empty
          icon={ArchiveX}
          title={
            <>
              The job was erased <Time value={erased} />.
            </>
          }
          action={toJob}
        />
      </Panel>
    )
  }
  return (
    <Panel>
      <Empty
        icon={Archive}
        title={isOver(job.status) ? 'This job has no artifacts.' : 'This job has no artifacts yet.'}
        action={toJob}
      >
        <p>
          {isOver(job.status) ? 'A' : 'They are uploaded when the script has ended. A'} job keeps files that
          its entry in <code>.gitlab-ci.yml</code> names:
        </p>
        <CodeBlock label="an example of artifacts" text={exampleFor(job.name)} />
      </Empty>
    </Panel>
  )
}

/** In place of artifacts that the reader may not see. */
function OthersArtifacts({ project, job, readers }: { project: string; job: DetailedJob; readers: string }) {
  return (
    <Panel>
      <Empty
        icon={Lock}
        title={`The artifacts of this job are only for ${readers}.`}
        action={
          <LinkButton href={addressOf('jobs/job', { project, id: String(job.id) })}>Open the job</LinkButton>
        }
      >
        Its entry in <code>.gitlab-ci.yml</code> has <code>artifacts:access: {job.artifacts_access}</code>.
      </Empty>
    </Panel>
  )
}

function exampleFor(name: string): string {
  // The name of an instance of a parallel job is not that of the entry.
  const entry = name.replace(/(?: \d+\/\d+|: \[.*\])$/, '')
  const key = /^[\w.-]+$/.test(entry) ? entry : JSON.stringify(entry)
  return `${key}:\n  artifacts:\n    paths:\n      - dist/\n    expire_in: 1 week`
}
