import { Link as LinkIcon, Pencil, Quote, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { DiscussedNote } from '../../coordinator/planning/discussions/schema.js'
import { boot } from '../api/boot.js'
import { request, requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { notify, notifyError } from '../frame/notices.js'
import { Avatar } from '../kit/avatar.js'
import { Badge } from '../kit/badge.js'
import { copyText } from '../kit/copy-button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Menu, MenuItem, MenuLine } from '../kit/menu.js'
import { Time } from '../kit/time.js'
import { CommentForm } from './comment-form.js'
import { type Discussed, discussedPath, type DiscussionRights } from './discussed.js'
import { Markdown } from './markdown.js'
import styles from './note.module.css'
import { ReactButton, Reactions } from './reactions.js'

interface NoteProps {
  of: Discussed
  rights: DiscussionRights
  note: DiscussedNote
  /** After the user has changed or deleted it. */
  onChanged: () => void
  /** Quotes the text in the field for a reply or a comment. */
  onQuote?: ((text: string) => void) | undefined
  /** Below the text, such as suggested changes. */
  children?: ComponentChildren
}

/** A comment: who wrote it, when, its text and its emoji, and what the user may do with it. */
export function Note({ of, rights, note, onChanged, onQuote, children }: NoteProps) {
  const [isEditing, setEditing] = useState(false)
  const path = `${discussedPath(of)}/notes/${note.id}`
  const isOwn = note.author !== null && note.author.id === boot.user?.id
  const mayChange = rights.mayModerate || (isOwn && rights.mayComment)
  const ticking = useAction(async (body: string) => {
    await requestJson(path, { method: 'PUT', body: { body } })
    onChanged()
  }, notifyError)
  const reactions = {
    reactions: note.award_emoji ?? [],
    path: `${path}/award_emoji`,
    mayReact: rights.mayComment,
    reason: rights.reason,
    onChanged,
  }
  return (
    <article class={styles['note']} id={`note_${note.id}`} aria-label={labelOf(note)}>
      <NoteHead of={of} note={note}>
        <ReactButton {...reactions} />
        <NoteMenu
          note={note}
          path={path}
          mayChange={mayChange}
          reason={rights.reason}
          onEdit={() => setEditing(true)}
          onQuote={rights.mayComment ? onQuote : undefined}
          onChanged={onChanged}
        />
      </NoteHead>
      {isEditing ? (
        <CommentForm
          of={of}
          name={`note-${note.id}`}
          label="Edit the comment"
          action="Save"
          path={path}
          method="PUT"
          initial={note.body}
          takesFocus
          onCancel={() => setEditing(false)}
          onSent={() => {
            setEditing(false)
            onChanged()
          }}
        />
      ) : (
        <Markdown
          project={of.project}
          text={note.body}
          html={note.body_html}
          onTick={mayChange && rights.reason === undefined ? (text) => void ticking.run(text) : undefined}
        />
      )}
      {children}
      <Reactions {...reactions} />
    </article>
  )
}

function NoteHead({
  of,
  note,
  children,
}: {
  of: Discussed
  note: DiscussedNote
  children: ComponentChildren
}) {
  const { author, created_at, updated_at, internal } = note
  return (
    <header class={styles['head']}>
      <Avatar name={author?.name ?? '?'} url={author?.avatar_url} size={28} />
      <div class={styles['who']}>
        {author ? (
          <a class={styles['author']} href={`/${author.username}`} title={`@${author.username}`}>
            {author.name}
          </a>
        ) : (
          <span class={styles['author']}>a deleted account</span>
        )}
        {author && author.id === of.authorId && <Badge>Author</Badge>}
        {internal && (
          <Badge tone="warning" title="Only members from the Reporter role on see it">
            Internal
          </Badge>
        )}
        <a class={styles['time']} href={`#note_${note.id}`}>
          <Time value={created_at} />
        </a>
        {isEdited(created_at, updated_at) && <span class={styles['edited']}>edited</span>}
      </div>
      {children}
    </header>
  )
}

/** Replies and resolving touch a note within the same moment. */
function isEdited(created: string, updated: string): boolean {
  return Date.parse(updated) - Date.parse(created) > 1000
}

function labelOf({ author }: DiscussedNote): string {
  return `Comment by ${author?.name ?? 'a deleted account'}`
}

interface NoteMenuProps {
  note: DiscussedNote
  path: string
  mayChange: boolean
  reason: string | undefined
  onEdit: () => void
  onQuote: ((text: string) => void) | undefined
  onChanged: () => void
}

function NoteMenu({ note, path, mayChange, reason, onEdit, onQuote, onChanged }: NoteMenuProps) {
  const [deletes, setDeletes] = useState(false)
  const deleting = useAction(async () => {
    await request(path, { method: 'DELETE' })
    setDeletes(false)
    onChanged()
  }, notifyError)
  const copy = async () => {
    await copyText(new URL(`#note_${note.id}`, location.href).href)
    notify('The link was copied')
  }
  return (
    <>
      <Menu name="Comment actions" size="small" kind="ghost" class={styles['menu']}>
        {mayChange && (
          <MenuItem icon={Pencil} reason={reason} onSelect={onEdit}>
            Edit
          </MenuItem>
        )}
        {onQuote && (
          <MenuItem icon={Quote} reason={reason} onSelect={() => onQuote(note.body)}>
            Quote
          </MenuItem>
        )}
        <MenuItem icon={LinkIcon} onSelect={() => void copy()}>
          Copy the link
        </MenuItem>
        {mayChange && (
          <>
            <MenuLine />
            <MenuItem icon={Trash2} isDangerous reason={reason} onSelect={() => setDeletes(true)}>
              Delete…
            </MenuItem>
          </>
        )}
      </Menu>
      {deletes && (
        <ConfirmDialog
          title="Delete this comment?"
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run()}
          onClose={() => setDeletes(false)}
        >
          <p>This cannot be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}
