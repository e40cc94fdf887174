import { addressOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { Comparison } from '../../../coordinator/hosting/repository-contents/schema.js'
import { useRead } from '../../api/use-read.js'
import { useProjectAbilities } from '../../frame/use-abilities.js'
import { formatCount } from '../../kit/bytes.js'
import styles from './new-commits.module.css'

/** A comparison of commits never changes. */
const FOREVER = Number.POSITIVE_INFINITY
const MAX_COMMITS = 1000

interface NewCommitsProps {
  project: string
  /** The commit that was deployed before, or to another environment. */
  from: string
  to: string
  /** The words after "3 commits". */
  relation: string
}

/** The number of commits that a deployment adds to another one. */
export function NewCommits({ project, from, to, relation }: NewCommitsProps) {
  const { may } = useProjectAbilities(project)
  const { data } = useRead<Comparison>(
    may('read_code')
      ? `${projectApi(project)}/repository/compare?from=${from}&to=${to}&straight=false`
      : undefined,
    { staleTime: FOREVER },
  )
  if (!may('read_code')) return null
  const count = data?.commits.length
  return (
    <p class={styles['commits']}>
      <a href={addressOf('code/compare', { project, revisions: `${from}...${to}` })}>
        {count === undefined
          ? 'Changes'
          : count === 0
            ? 'No new commits'
            : `${formatCount(count)}${count >= MAX_COMMITS ? '+' : ''} ${count === 1 ? 'commit' : 'commits'}`}
      </a>{' '}
      {relation}
    </p>
  )
}
