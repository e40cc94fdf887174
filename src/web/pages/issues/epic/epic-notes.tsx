import { Pencil, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { groupApi } from '../../../../addresses/first-reads.js'
import type { DiscussedNote } from '../../../../coordinator/planning/discussions/schema.js'
import type { Epic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { boot } from '../../../api/boot.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { Markdown } from '../../../discussion/markdown.js'
import { useDraft } from '../../../discussion/use-draft.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button, IconButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { Time } from '../../../kit/time.js'
import { UserLink } from '../../../records/user-link.js'
import styles from './epic-notes.module.css'

type EpicNote = Pick<DiscussedNote, 'id' | 'body' | 'author' | 'created_at' | 'system' | 'internal'>

interface EpicNotesProps {
  group: string
  epic: Epic
  /** The user may change and delete the comments of others. */
  mayModerate: boolean
}

/** The comments on an epic and the history of its changes, the oldest first, and a field for another comment. */
export function EpicNotes({ group, epic, mayModerate }: EpicNotesProps) {
  const base = `${groupApi(group)}/epics/${epic.id}/notes`
  const list = useReadList<EpicNote>(`${base}?sort=asc&per_page=50`)
  const [open, setOpen] = useState<{ kind: 'edit' | 'delete'; note: EpicNote }>()
  const deleting = useAction(async (id: number) => {
    await request(`${base}/${id}`, { method: 'DELETE' })
    await refresh(base)
    setOpen(undefined)
  }, notifyError)
  return (
    <Panel isFlush title="Comments">
      <ReadRows of={list} outline={3} empty={<p class={styles['none']}>There is no comment yet.</p>}>
        {list.rows.map((note) =>
          note.system ? (
            <Change key={note.id} note={note} />
          ) : (
            <article
              key={note.id}
              class={styles['note']}
              aria-label={`Comment by ${note.author?.name ?? ''}`}
            >
              <header class={styles['head']}>
                <UserLink user={note.author} size={22} />
                <span class={styles['time']}>
                  <Time value={note.created_at} />
                </span>
                {note.internal && <Badge tone="warning">Internal</Badge>}
                <span class={styles['space']} />
                {(mayModerate || note.author?.id === boot.user?.id) && boot.user && (
                  <>
                    <IconButton
                      size="small"
                      icon={Pencil}
                      label="Edit the comment"
                      onClick={() => setOpen({ kind: 'edit', note })}
                    />
                    <IconButton
                      size="small"
                      icon={Trash2}
                      label="Delete the comment"
                      onClick={() => setOpen({ kind: 'delete', note })}
                    />
                  </>
                )}
              </header>
              <Markdown project={undefined} text={note.body} below={2} />
            </article>
          ),
        )}
      </ReadRows>
      <LoadMore of="comments" next={list.next} />
      {boot.user && <NewNote base={base} />}
      {open?.kind === 'edit' && <EditNote base={base} note={open.note} onClose={() => setOpen(undefined)} />}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title="Delete the comment?"
          action="Delete comment"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run(open.note.id)}
          onClose={() => setOpen(undefined)}
        >
          <p>This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

/** One line of the history. */
function Change({ note: { author, body, created_at } }: { note: EpicNote }) {
  return (
    <div class={styles['change']}>
      <UserLink user={author} size={16} />
      <Markdown project={undefined} text={body} />
      <span class={styles['time']}>
        <Time value={created_at} />
      </span>
    </div>
  )
}

function NewNote({ base }: { base: string }) {
  const draft = useDraft('comment')
  const adding = useAction(async () => {
    await requestJson(base, { method: 'POST', body: { body: draft.text } })
    draft.discard()
    await refresh(base)
  }, notifyError)
  return (
    <form
      class={styles['new']}
      onSubmit={(event) => {
        event.preventDefault()
        void adding.run()
      }}
    >
      <TextArea label="New comment" help="Markdown" rows={3} value={draft.text} onInput={draft.setText} />
      <div>
        <Button kind="primary" type="submit" isBusy={adding.isBusy} disabled={draft.text.trim() === ''}>
          Comment
        </Button>
      </div>
    </form>
  )
}

function EditNote({ base, note, onClose }: { base: string; note: EpicNote; onClose: () => void }) {
  const [body, setBody] = useState(note.body)
  const saving = useAction(async () => {
    await requestJson(`${base}/${note.id}`, { method: 'PUT', body: { body } })
    await refresh(base)
    onClose()
  })
  return (
    <FormDialog
      title="Edit the comment"
      action="Save changes"
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={body.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <TextArea label="Comment" help="Markdown" rows={8} value={body} onInput={setBody} />
    </FormDialog>
  )
}
