import { FileInput } from 'lucide'

import type { LintedInclude } from '../../../coordinator/ci/lint/schema.js'
import { Badge } from '../../kit/badge.js'
import { Empty } from '../../kit/empty.js'
import styles from './included-files.module.css'

/** The files that a CI file includes, at their commits. */
export function IncludedFiles({ includes }: { includes: readonly LintedInclude[] }) {
  if (includes.length === 0) {
    return (
      <Empty icon={FileInput} title="The file includes no others.">
        <code>include</code> merges files of this repository, of other projects and of other servers into it.
      </Empty>
    )
  }
  return (
    <ul class={styles['files']} aria-label="Included files">
      {includes.map(({ type, location, blob, raw, context_project: project, context_sha: sha }, index) => {
        const href = blob ?? raw
        return (
          <li key={index}>
            <span class={styles['name']}>
              {href === null ? location : <a href={href}>{location}</a>}
              <Badge>{type}</Badge>
            </span>
            {project !== null && (
              <small>
                included by {project} {sha !== null && <code>{sha.slice(0, 8)}</code>}
              </small>
            )}
          </li>
        )
      })}
    </ul>
  )
}
