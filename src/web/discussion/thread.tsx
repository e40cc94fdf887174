import { CircleCheck, CircleDashed, MessageSquareReply } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { DiscussedNote, Discussion } from '../../coordinator/planning/discussions/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { Icon } from '../kit/icon.js'
import { Time } from '../kit/time.js'
import { type Alternative, CommentForm } from './comment-form.js'
import { type Discussed, discussedPath, type DiscussionRights } from './discussed.js'
import { Note } from './note.js'
import { readStoredText } from './stored-texts.js'
import { SystemNote } from './system-note.js'
import styles from './thread.module.css'

interface ThreadProps {
  of: Discussed
  rights: DiscussionRights
  /** A discussion that the API has listed with `with_details`. */
  discussion: Discussion
  /** After the user has changed something in it. */
  onChanged: () => void
  /** Above the notes, such as the lines of a diff. */
  heading?: ComponentChildren
  /** Below the text of a note, such as suggested changes. */
  below?: (note: DiscussedNote) => ComponentChildren
  /** Another way to send a reply. */
  alternative?: Alternative | undefined
}

/** A comment with its replies. A thread that is resolved is folded. */
export function Thread({ of, rights, discussion, onChanged, heading, below, alternative }: ThreadProps) {
  const { notes } = discussion
  const [first] = notes
  const isResolved = notes.some(({ resolvable }) => resolvable) && notes.every(isDone)
  const [isOpen, setOpen] = useState(false)
  if (!first) return null
  if (first.system) return <SystemNote of={of} note={first} />
  const isShown = !isResolved || isOpen
  return (
    // No landmark: somebody may have begun several.
    <div
      class={styles['thread']}
      role="group"
      aria-label={`Thread of ${first.author?.name ?? 'a deleted account'}`}
    >
      {heading}
      {isResolved && (
        <ResolvedLine note={notes.findLast(({ resolved_at }) => resolved_at) ?? first}>
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'} {notes.length === 1 ? 'the comment' : `${notes.length} comments`}
          </Button>
        </ResolvedLine>
      )}
      {isShown && (
        <Notes {...{ of, rights, discussion, onChanged, below, alternative }} isResolved={isResolved} />
      )}
    </div>
  )
}

function isDone({ resolvable, resolved }: DiscussedNote): boolean {
  return !resolvable || resolved === true
}

function ResolvedLine({ note, children }: { note: DiscussedNote; children: ComponentChildren }) {
  return (
    <p class={styles['resolved']}>
      <Icon icon={CircleCheck} size={16} />
      <span>
        Resolved{note.resolved_by && ` by ${note.resolved_by.name}`}{' '}
        {note.resolved_at && <Time value={note.resolved_at} />}
      </span>
      {children}
    </p>
  )
}

interface NotesProps extends Pick<ThreadProps, 'of' | 'rights' | 'discussion' | 'onChanged' | 'alternative'> {
  below: ThreadProps['below']
  isResolved: boolean
}

function Notes({ of, rights, discussion, onChanged, below, alternative, isResolved }: NotesProps) {
  const { id, notes } = discussion
  const draftName = `reply-${id}`
  const [quote, setQuote] = useState<string>()
  const [isReplying, setReplying] = useState(
    () => readStoredText(`${location.pathname}#${draftName}`) !== undefined,
  )
  const path = `${discussedPath(of)}/discussions/${id}`
  const isResolvable = notes.some(({ resolvable }) => resolvable)
  const isAlone = notes.length === 1 && !isResolvable
  const resolving = useAction(async () => {
    await requestJson(path, { method: 'PUT', body: { resolved: !isResolved } })
    onChanged()
  }, notifyError)
  const resolve = isResolvable && rights.mayResolve && (
    <Button
      size={isReplying ? 'normal' : 'small'}
      icon={isResolved ? CircleDashed : CircleCheck}
      isBusy={resolving.isBusy}
      reason={rights.reason}
      onClick={() => void resolving.run()}
    >
      {isResolved ? 'Reopen the thread' : 'Resolve the thread'}
    </Button>
  )
  return (
    <>
      {notes.map((note, index) => (
        <div key={note.id} class={index > 0 ? styles['reply'] : undefined}>
          {note.system ? (
            <SystemNote of={of} note={note} />
          ) : (
            <Note
              of={of}
              rights={rights}
              note={note}
              onChanged={onChanged}
              onQuote={(text) => {
                setQuote(quoteOf(text))
                setReplying(true)
              }}
            >
              {below?.(note)}
            </Note>
          )}
        </div>
      ))}
      {rights.mayComment && (
        <div class={isAlone ? styles['alone'] : styles['answer']}>
          {isReplying ? (
            <CommentForm
              key={quote}
              of={of}
              name={draftName}
              label="Reply"
              action="Reply"
              path={`${path}/notes`}
              {...(quote !== undefined && { initial: quote })}
              rows={2}
              takesFocus
              reason={rights.reason}
              alternative={alternative}
              onSent={() => {
                setQuote(undefined)
                setReplying(false)
                onChanged()
              }}
              onCancel={() => {
                setQuote(undefined)
                setReplying(false)
              }}
            >
              {resolve}
            </CommentForm>
          ) : (
            <div class={styles['buttons']}>
              <Button
                size="small"
                kind={isAlone ? 'ghost' : 'plain'}
                icon={MessageSquareReply}
                reason={rights.reason}
                onClick={() => setReplying(true)}
              >
                Reply
              </Button>
              {resolve}
            </div>
          )}
        </div>
      )}
    </>
  )
}

function quoteOf(text: string): string {
  return `${text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n\n`
}
