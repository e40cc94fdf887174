import { Send, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'

import type { DraftNote } from '../../../../coordinator/planning/draft-notes/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson, request as send } from '../../../api/client.js'
import { type Failure, failureOf } from '../../../api/failure.js'
import { useAction } from '../../../api/use-action.js'
import { useRead } from '../../../api/use-read.js'
import type { Alternative } from '../../../discussion/comment-form.js'
import { Markdown } from '../../../discussion/markdown.js'
import { notifyError } from '../../../frame/notices.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { mergeRequestPath } from '../merge-request-path.js'
import { PendingBar } from '../pending-bar.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import styles from './review.module.css'

interface Review {
  /** The comments that nobody else sees yet. */
  drafts: readonly DraftNote[]
  /** Adds a comment to the review instead of sending it; `discussionId`: a reply to this thread. */
  alternative: (discussionId?: string) => Alternative | undefined
  /** One of the drafts, with what deletes it. */
  show: (draft: DraftNote) => ComponentChildren
  /** What sends all of them; nothing while there are none. */
  bar: ComponentChildren
  /** Why they could not be read. */
  failure: Failure | undefined
  reload: () => void
}

/** The comments of the user that are gathered, to be sent together. */
export function useReview({ project, request }: ShownMergeRequest, onSent: () => void): Review {
  const path = `${mergeRequestPath(project, request.iid)}/draft_notes`
  const list = useRead<DraftNote[]>(boot.user ? `${path}?per_page=100` : undefined)
  const reload = () => void list.refetch()
  const drafts = list.data ?? []
  const changing = useAction(async (change: () => Promise<unknown>) => {
    await change()
    reload()
  }, notifyError)
  const sending = useAction(async () => {
    await send(`${path}/bulk_publish`, { method: 'POST' })
    reload()
    onSent()
  }, notifyError)
  return {
    drafts,
    failure: failureOf(list),
    reload,
    alternative: (discussionId) =>
      boot.user
        ? {
            action: drafts.length === 0 ? 'Start a review' : 'Add to the review',
            path,
            field: 'note',
            ...(discussionId !== undefined && { values: { in_reply_to_discussion_id: discussionId } }),
          }
        : undefined,
    show: (draft) => (
      <article key={draft.id} class={styles['draft']} aria-label="Comment in your review">
        <header class={styles['head']}>
          <Badge tone="warning">Only you see this</Badge>
          <Button
            size="small"
            kind="ghost"
            icon={Trash2}
            isBusy={changing.isBusy}
            onClick={() => void changing.run(() => send(`${path}/${draft.id}`, { method: 'DELETE' }))}
          >
            Delete
          </Button>
          <Button
            size="small"
            kind="ghost"
            icon={Send}
            isBusy={changing.isBusy}
            onClick={() =>
              void changing.run(async () => {
                await requestJson(`${path}/${draft.id}/publish`, { method: 'PUT', body: {} })
                onSent()
              })
            }
          >
            Send now
          </Button>
        </header>
        <Markdown project={project} text={draft.note} />
      </article>
    ),
    bar: drafts.length > 0 && (
      <PendingBar>
        <span>{drafts.length === 1 ? '1 comment is' : `${drafts.length} comments are`} in your review.</span>
        <Button kind="primary" isBusy={sending.isBusy} onClick={() => void sending.run()}>
          Send the review
        </Button>
      </PendingBar>
    ),
  }
}
