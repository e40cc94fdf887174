import type { DetailedJob } from '../../../coordinator/ci/jobs/schema.js'
import { Badge } from '../../kit/badge.js'
import { fullTime, Time } from '../../kit/time.js'

/** Until when the artifacts of a job are kept, and why longer. */
export function ArtifactsLifetime({ job }: { job: DetailedJob }) {
  const { artifacts_expire_at: expiry, artifacts_kept_for: ref } = job
  if (expiry === null) return <span>kept until they are deleted</span>
  if (ref === null) {
    return (
      <span>
        {Date.parse(expiry) < Date.now() ? 'expired' : 'expire'} <Time value={expiry} />
      </span>
    )
  }
  return (
    <Badge
      tone="accent"
      title={`The latest successful pipeline of ${ref} keeps its artifacts. They expire ${fullTime(expiry)}, or later when a newer pipeline succeeds.`}
    >
      kept: newest of {ref}
    </Badge>
  )
}
