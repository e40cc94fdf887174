import { addressOf } from '../../../addresses/address-of.js'
import { Time } from '../../kit/time.js'
import styles from './failure-links.module.css'

interface FailureLinksProps {
  project: string
  failure: { pipeline_id: number; job_id: number; sha: string; created_at: string }
}

/** When and where a test failed: the time, the pipeline and the commit. */
export function FailureLinks({ project, failure }: FailureLinksProps) {
  const { pipeline_id: pipeline, sha, created_at: at } = failure
  return (
    <span class={styles['links']}>
      <Time value={at} />
      <a href={addressOf('pipelines/pipeline', { project, id: String(pipeline) })}>#{pipeline}</a>
      <a href={addressOf('code/commit', { project, sha })}>
        <code>{sha.slice(0, 8)}</code>
      </a>
    </span>
  )
}
