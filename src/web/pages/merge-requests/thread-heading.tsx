import { addressOf } from '../../../addresses/address-of.js'
import type { Discussion } from '../../../coordinator/planning/discussions/schema.js'
import type { ShownMergeRequest } from './shown-merge-request.js'
import styles from './thread-heading.module.css'

/** Where a thread is in the changes, with a link to it; nothing for a thread about the whole. */
export function ThreadHeading({
  project,
  request,
  discussion,
}: Omit<ShownMergeRequest, 'reload'> & { discussion: Discussion }) {
  const position = discussion.notes[0]?.position
  if (!position) return null
  const line = position.new_line ?? position.old_line
  const path = position.new_path ?? position.old_path
  const isCurrent = position.head_sha === request.diff_refs?.head_sha
  const href = addressOf(
    'merge-requests/changes',
    { project, iid: String(request.iid) },
    { thread: isCurrent ? discussion.id : undefined },
  )
  return (
    <p class={styles['heading']}>
      <a href={href}>
        {path}
        {line !== null && `:${line}`}
      </a>
      {!isCurrent && <span class={styles['outdated']}>of an earlier version</span>}
    </p>
  )
}
