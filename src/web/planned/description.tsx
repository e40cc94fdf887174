import { Pencil } from 'lucide'
import { useState } from 'preact/hooks'

import type { AwardEmoji } from '../../coordinator/planning/award-emoji/schema.js'
import { boot } from '../api/boot.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { useRead } from '../api/use-read.js'
import { countReactions } from '../discussion/count-reactions.js'
import type { DiscussedKind } from '../discussion/discussed-kind.js'
import { LoadedEditor } from '../discussion/loaded-editor.js'
import { Markdown } from '../discussion/markdown.js'
import { ReactButton, Reactions } from '../discussion/reactions.js'
import { readStoredText } from '../discussion/stored-texts.js'
import { useDraft } from '../discussion/use-draft.js'
import { notifyError } from '../frame/notices.js'
import { Alert } from '../kit/alert.js'
import { Button } from '../kit/button.js'
import { Input } from '../kit/field.js'
import { Box } from '../kit/panel.js'
import styles from './description.module.css'

/** An issue or merge request that is shown. */
export interface DescribedProps {
  project: string
  kind: DiscussedKind
  record: { title: string; description: string | null; description_html?: string | undefined }
  /** Path of the record in the API. */
  path: string
  mayEdit: boolean
  /** Why nothing can be changed now, such as an archived project. */
  reason: string | undefined
  /** After a change: reads again what is shown. */
  onChanged: () => void
}

/** The description of an issue or merge request, which is edited together with its title. */
export function Description(props: DescribedProps) {
  const { project, record, path, mayEdit, reason, onChanged } = props
  const [isEditing, setEditing] = useState(
    () =>
      mayEdit &&
      ['title', 'description'].some((key) => readStoredText(`${location.pathname}#${key}`) !== undefined),
  )
  const awards = useRead<AwardEmoji[]>(`${path}/award_emoji?per_page=100`)
  const ticking = useAction(async (description: string) => {
    await requestJson(path, { method: 'PUT', body: { description } })
    onChanged()
  }, notifyError)
  if (isEditing) return <Editing {...props} onClose={() => setEditing(false)} />
  const text = record.description ?? ''
  const reactions = {
    reactions: countReactions(awards.data ?? []),
    path: `${path}/award_emoji`,
    mayReact: boot.user !== null,
    reason,
    onChanged,
  }
  return (
    <Box label="Description" class={styles['box']}>
      {text === '' ? (
        <p class={styles['none']}>No description.</p>
      ) : (
        <Markdown
          project={project}
          text={text}
          html={record.description_html}
          below={1}
          onTick={mayEdit && reason === undefined ? (changed) => void ticking.run(changed) : undefined}
        />
      )}
      <div class={styles['foot']}>
        <Reactions {...reactions} />
        <ReactButton {...reactions} />
        <span class={styles['space']} />
        {mayEdit && (
          <Button size="small" icon={Pencil} reason={reason} onClick={() => setEditing(true)}>
            Edit
          </Button>
        )}
      </div>
    </Box>
  )
}

function Editing({
  project,
  kind,
  record,
  path,
  reason,
  onChanged,
  onClose,
}: DescribedProps & { onClose: () => void }) {
  // What it was when the reader began: drafts are changes of that.
  const [before] = useState({ title: record.title, description: record.description ?? '' })
  const title = useDraft('title', before.title)
  const description = useDraft('description', before.description)
  const isOutdated = record.title !== before.title || (record.description ?? '') !== before.description
  const saving = useAction(async () => {
    const body = { title: title.text, description: description.text }
    await requestJson(path, { method: 'PUT', body })
    title.discard()
    description.discard()
    onChanged()
    onClose()
  }, notifyError)
  const cancel = () => {
    title.discard()
    description.discard()
    onClose()
  }
  return (
    <Box label="Edit title and description" class={styles['box']}>
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          void saving.run()
        }}
      >
        <Input label="Title" value={title.text} onInput={title.setText} required />
        <LoadedEditor
          project={project}
          kind={kind}
          label="Description"
          value={description.text}
          onInput={description.setText}
          onSend={() => void saving.run()}
          rows={10}
          takesFocus
        />
        {isOutdated && (
          <Alert tone="warning" title="Others have changed this since you began.">
            Saving replaces their text with yours.
          </Alert>
        )}
        <div class={styles['buttons']}>
          <Button
            kind="primary"
            type="submit"
            isBusy={saving.isBusy}
            reason={reason}
            disabled={title.text.trim() === ''}
          >
            Save changes
          </Button>
          <Button onClick={cancel}>Cancel</Button>
        </div>
      </form>
    </Box>
  )
}
