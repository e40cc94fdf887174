import { useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import type { Topic } from '../../../../coordinator/hosting/topics/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useRead } from '../../../api/use-read.js'
import { notify } from '../../../frame/notices.js'
import { Combobox } from '../../../kit/combobox.js'
import { Input, TextArea } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'

interface DialogProps {
  onClose: () => void
  onSaved: () => void
}

/** A form for a topic; a new one without `topic`. */
export function TopicDialog({ topic, onClose, onSaved }: DialogProps & { topic: Topic | undefined }) {
  const [name, setName] = useState(topic?.name ?? '')
  const [title, setTitle] = useState(topic?.title ?? '')
  const [description, setDescription] = useState(topic?.description ?? '')
  const saving = useAction(async () => {
    const body = { name, title: title || name, description }
    if (topic) await requestJson(`/topics/${topic.id}`, { method: 'PUT', body })
    else await requestJson('/topics', { method: 'POST', body })
    onSaved()
    onClose()
  })
  return (
    <FormDialog
      title={topic ? `Edit ${topic.title}` : 'New topic'}
      action={topic ? 'Save changes' : 'Create topic'}
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={name.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <Input
        label="Name"
        help={topic ? 'Its projects get the new name, too.' : 'As projects have it, without commas.'}
        value={name}
        onInput={setName}
        required
        autoComplete="off"
      />
      <Input label="Title" placeholder={name} value={title} onInput={setTitle} autoComplete="off" />
      <TextArea label="Description" help="Markdown" value={description} onInput={setDescription} />
    </FormDialog>
  )
}

const NOTHING = { value: '', label: '' }

/** Gives the projects of a topic to another one, and deletes it. */
export function MergeTopic({ topic, onClose, onSaved }: DialogProps & { topic: Topic }) {
  const [search, setSearch] = useState('')
  const [target, setTarget] = useState(NOTHING)
  const found =
    useRead<Topic[]>(`/topics${queryOf({ search: search.trim() || undefined, per_page: 20 })}`, {
      keepsPrevious: true,
    }).data ?? []
  const merging = useAction(async () => {
    const body = { source_topic_id: topic.id, target_topic_id: Number(target.value) }
    await requestJson('/topics/merge', { method: 'POST', body })
    notify(`${topic.title} was merged into ${target.label}`)
    onSaved()
    onClose()
  })
  return (
    <FormDialog
      title={`Merge ${topic.title} into another topic`}
      action="Merge"
      isDangerous
      isBusy={merging.isBusy}
      error={merging.error}
      isIncomplete={target.value === ''}
      onSubmit={() => void merging.run()}
      onClose={onClose}
    >
      <p>Its projects get the other topic, and it is deleted. This cannot be undone.</p>
      <Combobox
        label="Topic that stays"
        value={target.value}
        valueLabel={target.label}
        choices={found
          .filter(({ id }) => id !== topic.id)
          .map(({ id, name, title }) => ({ value: String(id), label: title, detail: name }))}
        onSearch={setSearch}
        onChoose={setTarget}
      />
    </FormDialog>
  )
}
