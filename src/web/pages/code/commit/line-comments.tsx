import { useEffect, useRef, useState } from 'preact/hooks'

import type { Comment } from '../../../../coordinator/hosting/commits/schema.js'
import { requestJson } from '../../../api/client.js'
import type { Failure } from '../../../api/failure.js'
import { useAction } from '../../../api/use-action.js'
import { refresh } from '../../../api/use-read.js'
import { useWholeList } from '../../../api/use-whole-list.js'
import type { LineNotes } from '../../../code/line-notes.js'
import { type LinePosition, positionKey } from '../../../code/line-positions.js'
import { notifyError } from '../../../frame/notices.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { TextArea } from '../../../kit/field.js'
import { commentsList, commentsPath, CommentText } from './comments.js'
import styles from './line-comments.module.css'

/** More comments are only listed below the changes. */
const MAX_PAGES = 10

interface Draft {
  position: LinePosition
  text: string
}

/** The comments on the lines of a commit, for its changes, and a field for another one. */
export function useLineComments(
  project: string,
  sha: string,
): { notes: LineNotes; failure: Failure | undefined } {
  const { may, reasonAgainst } = useProjectAbilities(project)
  const list = useWholeList<Comment>(commentsList(project, sha), MAX_PAGES)
  // Kept here, because a row that is scrolled out of sight loses its state.
  const [draft, setDraft] = useState<Draft>()
  const byPosition = new Map<string, Comment[]>()
  for (const comment of list.rows) {
    const { path, line, line_type: side } = comment
    if (path === null || line === null) continue
    const key = positionKey({ path, line, side: side ?? 'new' })
    byPosition.set(key, [...(byPosition.get(key) ?? []), comment])
  }
  const drafted = draft && positionKey(draft.position)
  const mayComment = may('comment_on_commits') && reasonAgainst('comment_on_commits') === undefined
  const notes: LineNotes = {
    isShown: draft !== undefined || byPosition.size > 0,
    below: (position) => {
      const key = positionKey(position)
      const comments = byPosition.get(key) ?? []
      if (comments.length === 0 && key !== drafted) return null
      return (
        <>
          {comments.length > 0 && (
            <ul
              class={styles['comments']}
              aria-label={`Comments on line ${position.line} of ${position.path}`}
            >
              {comments.map((comment, index) => (
                <li key={index}>
                  <CommentText project={project} comment={comment} />
                </li>
              ))}
            </ul>
          )}
          {draft && key === drafted && (
            <LineForm
              path={commentsPath(project, sha)}
              draft={draft}
              onInput={(text) => setDraft({ position, text })}
              onClose={() => setDraft(undefined)}
            />
          )}
        </>
      )
    },
    start: mayComment
      ? (position) => {
          // What has been typed stays when the pointer slips to another line.
          setDraft((before) => ({ position, text: before?.text ?? '' }))
        }
      : undefined,
  }
  return { notes, failure: list.failure }
}

interface LineFormProps {
  /** The comments in the API. */
  path: string
  draft: Draft
  onInput: (text: string) => void
  onClose: () => void
}

function LineForm({ path, draft: { position, text }, onInput, onClose }: LineFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('textarea')?.focus({ preventScroll: true }), [])
  const adding = useAction(async () => {
    const { line, side } = position
    await requestJson(path, {
      method: 'POST',
      body: { note: text, path: position.path, line, line_type: side },
    })
    await refresh(path)
    onClose()
  }, notifyError)
  return (
    <form
      ref={form}
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void adding.run()
      }}
    >
      <TextArea
        label={`Comment on line ${position.line}${position.side === 'old' ? ' before the change' : ''}`}
        value={text}
        onInput={onInput}
        rows={3}
        required
      />
      <div class={styles['buttons']}>
        <Button type="submit" kind="primary" isBusy={adding.isBusy} disabled={text.trim() === ''}>
          Comment on line
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
