import { addressOf } from '../../../addresses/address-of.js'
import type { ListedEnvironment } from '../../../coordinator/ci/environments/schema.js'
import type { Job } from '../../../coordinator/ci/jobs/schema.js'
import { StatusBadge } from '../../kit/status.js'
import { Time } from '../../kit/time.js'
import { UserLink } from '../../records/user-link.js'
import styles from './environments.module.css'

export type Deployment = NonNullable<ListedEnvironment['last_deployment']>

/** A deployment with its job, as the API of environments and deployments has it. */
export type ShownDeployment = Omit<Deployment, 'deployable'> & { deployable: Job | null }

/** The job is unknown to the type of the shared record. */
export function shownDeployment(deployment: Deployment): ShownDeployment {
  return { ...deployment, deployable: deployment.deployable as Job | null }
}

interface DeploymentLineProps {
  project: string
  deployment: ShownDeployment
}

/** What was deployed: commit, branch, pipeline and job, by whom and when. */
export function DeploymentLine({ project, deployment }: DeploymentLineProps) {
  const { sha, ref, status, user, deployable: job, created_at: at } = deployment
  return (
    <div class={styles['deployment']}>
      <StatusBadge status={status} />
      <a class={styles['sha']} href={addressOf('code/commit', { project, sha })}>
        {sha.slice(0, 8)}
      </a>
      {job?.commit?.title !== undefined && <span class={styles['title']}>{job.commit.title}</span>}
      <span class={styles['details']}>
        <a href={addressOf('code/tree', { project, ref_path: ref })}>{ref}</a>
        {job && (
          <>
            <a href={addressOf('pipelines/pipeline', { project, id: String(job.pipeline.id) })}>
              #{job.pipeline.id}
            </a>
            <a href={addressOf('jobs/job', { project, id: String(job.id) })}>{job.name}</a>
          </>
        )}
        <Time value={job?.finished_at ?? at} />
        <UserLink user={user} size={18} />
      </span>
    </div>
  )
}
