import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Comment, SingleCommit } from '../../../../coordinator/hosting/commits/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { MarkdownPreview } from '../../../editor/markdown-preview.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { useProjectAbilities } from '../../../frame/use-abilities.js'
import { Button } from '../../../kit/button.js'
import { TextArea } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { Time } from '../../../kit/time.js'
import { UserLink } from '../../../records/user-link.js'
import styles from './comments.module.css'

/** The comments on a commit in the API, below its prefix. */
export function commentsPath(project: string, sha: string): string {
  return `${projectApi(project)}/repository/commits/${sha}/comments`
}

/** The list that is read of them. */
export function commentsList(project: string, sha: string): string {
  return `${commentsPath(project, sha)}?per_page=100`
}

/** The comments on a commit and on its lines, and a field for another one. */
export function Comments({ project, commit }: { project: string; commit: SingleCommit }) {
  const { isLoaded, may, reasonAgainst } = useProjectAbilities(project)
  const path = commentsPath(project, commit.id)
  const list = useReadList<Comment>(commentsList(project, commit.id))
  const mayComment = may('comment_on_commits')
  const { result } = list
  if (result.data && isLoaded && !mayComment && list.rows.length === 0) return null
  return (
    <Panel isFlush title="Comments" class={styles['panel']}>
      {result.error && !result.data ? (
        <Problem error={result.error} retry={() => void result.refetch()} />
      ) : !result.data ? (
        <Skeleton rows={2} />
      ) : (
        list.rows.length > 0 && (
          <ul class={styles['comments']} aria-label="Comments">
            {list.rows.map((comment, index) => (
              <li key={index}>
                <CommentText project={project} comment={comment}>
                  {comment.path !== null && (
                    <CommentLocation
                      project={project}
                      sha={commit.id}
                      comment={{ ...comment, path: comment.path }}
                    />
                  )}
                </CommentText>
              </li>
            ))}
          </ul>
        )
      )}
      <LoadMore of="comments" next={list.next} />
      {mayComment && <NewComment path={path} reason={reasonAgainst('comment_on_commits')} />}
    </Panel>
  )
}

interface CommentTextProps {
  project: string
  comment: Comment
  /** Beside author and time. */
  children?: ComponentChildren
}

/** Who wrote a comment, when, and what. */
export function CommentText({ project, comment, children }: CommentTextProps) {
  return (
    <>
      <div class={styles['head']}>
        <UserLink user={comment.author} /> <Time value={comment.created_at} />
        {children}
      </div>
      <div class={styles['text']}>
        {boot.user ? <MarkdownPreview project={project} text={comment.note} /> : comment.note}
      </div>
    </>
  )
}

interface CommentLocationProps {
  project: string
  sha: string
  comment: Pick<Comment, 'line' | 'line_type'> & { path: string }
}

/** The line that a comment is about. A line that the commit removed has no link: no file at the commit contains it. */
function CommentLocation({ project, sha, comment: { path, line, line_type: side } }: CommentLocationProps) {
  const text = line === null ? path : `${path}:${line}`
  if (side === 'old') return <code>{text}</code>
  const file = addressOf('code/file', { project, ref_path: `${sha}/${path}` })
  return (
    <a class={styles['location']} href={line === null ? file : `${file}#L${line}`}>
      {text}
    </a>
  )
}

function NewComment({ path, reason }: { path: string; reason: string | undefined }) {
  const [note, setNote] = useState('')
  const adding = useAction(async () => {
    await requestJson(path, { method: 'POST', body: { note } })
    setNote('')
    await refresh(path)
  }, notifyError)
  return (
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void adding.run()
      }}
    >
      <TextArea
        label="New comment"
        hidesLabel
        placeholder="Write a comment"
        value={note}
        onInput={setNote}
        rows={2}
        required
      />
      <Button type="submit" isBusy={adding.isBusy} reason={reason} disabled={note.trim() === ''}>
        Comment
      </Button>
    </form>
  )
}
