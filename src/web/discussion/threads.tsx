import { MessagesSquare } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

import type { DiscussedNote, Discussion } from '../../coordinator/planning/discussions/schema.js'
import { Missing } from '../frame/missing.js'
import { Problem } from '../frame/problem.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { Skeleton } from '../kit/skeleton.js'
import { CommentForm } from './comment-form.js'
import { type Discussed, discussedPath, useDiscussionRights } from './discussed.js'
import { Thread } from './thread.js'
import styles from './threads.module.css'
import { type Discussions, useDiscussions } from './use-discussions.js'

interface ThreadsProps {
  of: Discussed
  /** The record itself may have changed: read it again. */
  onChanged: () => void
  /** Above the notes of a thread, such as the lines of a diff. */
  heading?: (discussion: Discussion) => ComponentChildren
  /** Below the text of a note, such as suggested changes. */
  below?: (note: DiscussedNote) => ComponentChildren
  /** Further buttons beside "Comment", such as "Close". */
  actions?: ComponentChildren
}

/** The comments on a record with its history, and a field for another comment. */
export function Threads(props: ThreadsProps) {
  const { of, onChanged, actions } = props
  const discussions = useDiscussions(of, onChanged)
  const rights = useDiscussionRights(of)
  const { reload } = discussions
  return (
    <section class={styles['threads']} aria-label="Discussion">
      <h2 class="visually-hidden">Discussion</h2>
      <List {...props} discussions={discussions} rights={rights} />
      <Missing what="Some comments" failure={discussions.failure} />
      <NewNotes discussions={discussions} />
      {rights.mayComment ? (
        <div class={styles['new']}>
          {of.isLocked && (
            <Alert tone="warning" title="This discussion is locked.">
              Only members of the project may comment.
            </Alert>
          )}
          <CommentForm
            of={of}
            name="comment"
            label="New comment"
            action="Comment"
            path={`${discussedPath(of)}/notes`}
            placeholder={
              of.kind === 'snippets' || of.kind === 'epics'
                ? 'Write a comment. @ names people.'
                : 'Write a comment. @ names people, / lists quick actions.'
            }
            reason={rights.reason}
            mayBeInternal={rights.mayWriteInternal}
            onSent={reload}
          >
            {actions}
          </CommentForm>
        </div>
      ) : (
        <SignIn />
      )}
    </section>
  )
}

function SignIn() {
  const here = encodeURIComponent(location.pathname + location.search)
  return (
    <p class={styles['signIn']}>
      <a data-reload="" href={`/users/sign_in?return_to=${here}`}>
        Sign in
      </a>{' '}
      to comment.
    </p>
  )
}

interface ListProps extends Omit<ThreadsProps, 'actions'> {
  discussions: Discussions
  rights: ReturnType<typeof useDiscussionRights>
}

function List({ of, heading, below, discussions, rights }: ListProps) {
  const { first, last, hidden, more, isLoading, error, reload } = discussions
  useLinkedNote(!isLoading)
  if (error) return <Problem error={error} retry={reload} />
  if (isLoading) return <Skeleton rows={4} />
  const thread = (discussion: Discussion) => (
    <Thread
      key={discussion.id}
      of={of}
      rights={rights}
      discussion={discussion}
      onChanged={reload}
      heading={heading?.(discussion)}
      {...(below && { below })}
    />
  )
  return (
    <div class={styles['list']}>
      {first.map(thread)}
      {hidden > 0 && (
        <p class={styles['more']}>
          <Button icon={MessagesSquare} onClick={more}>
            Show more of {hidden} entries between
          </Button>
        </p>
      )}
      {last.map(thread)}
    </div>
  )
}

/** Once the notes are there, scrolls to the one that the address names. */
function useLinkedNote(isReady: boolean): void {
  const done = useRef(false)
  useEffect(() => {
    const { hash } = location
    if (!isReady || done.current || !hash.startsWith('#note_')) return
    done.current = true
    requestAnimationFrame(() => document.getElementById(hash.slice(1))?.scrollIntoView({ block: 'center' }))
  }, [isReady])
}

/** Says that others have written, and shows it when the reader wants it. */
function NewNotes({ discussions: { unseen, showUnseen } }: { discussions: Discussions }) {
  const [first] = unseen
  const comments = unseen.filter(({ system }) => !system)
  const names = [...new Set(comments.map(({ author }) => author?.name ?? 'somebody'))]
  const text =
    comments.length === 0
      ? 'New activity'
      : `${comments.length === 1 ? 'New comment' : `${comments.length} new comments`} by ${names.slice(0, 3).join(', ')}`
  return (
    <div class={styles['announced']} role="status">
      {first && (
        <Button
          kind="primary"
          size="small"
          onClick={() => {
            showUnseen()
            requestAnimationFrame(() => {
              document.getElementById(`note_${first.id}`)?.scrollIntoView({ block: 'center' })
            })
          }}
        >
          {text}: show
        </Button>
      )}
    </div>
  )
}
