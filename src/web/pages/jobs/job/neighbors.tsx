import { ChevronLeft, ChevronRight } from 'lucide'

import { addressOf } from '../../../../addresses/address-of.js'
import type { GraphJob } from '../../../../coordinator/ci/pipelines/graph/schema.js'
import { navigate } from '../../../frame/location.js'
import { Icon } from '../../../kit/icon.js'
import { useKeys } from '../../../kit/keys.js'
import styles from './neighbors.module.css'

/** Links to the jobs before and after a job in its pipeline. */
export function Neighbors({ project, jobs, id }: { project: string; jobs: readonly GraphJob[]; id: number }) {
  const index = jobs.findIndex((job) => job.id === id)
  const previous = index < 0 ? undefined : jobs[index - 1]
  const next = index < 0 ? undefined : jobs[index + 1]
  const hrefOf = (job: GraphJob) => addressOf('jobs/job', { project, id: String(job.id) })
  useKeys({
    ...(previous && { '[': () => navigate(hrefOf(previous)) }),
    ...(next && { ']': () => navigate(hrefOf(next)) }),
  })
  return (
    <nav class={styles['neighbors']} aria-label="Jobs of the pipeline">
      {previous && (
        <a href={hrefOf(previous)} title="Previous job ([)">
          <Icon icon={ChevronLeft} size={14} />
          {previous.name}
        </a>
      )}
      {next && (
        <a href={hrefOf(next)} title="Next job (])">
          {next.name}
          <Icon icon={ChevronRight} size={14} />
        </a>
      )}
    </nav>
  )
}
