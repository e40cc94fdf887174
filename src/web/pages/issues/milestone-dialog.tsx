import { useState } from 'preact/hooks'

import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { Input, TextArea } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import type { MilestoneRecord } from './milestone-facts.js'

interface MilestoneDialogProps {
  /** Path of the milestones in the API. */
  path: string
  /** The milestone that is changed; a new one without it. */
  milestone: MilestoneRecord | undefined
  onClose: () => void
  onSaved: (milestone: MilestoneRecord) => void
}

/** A form for a milestone. */
export function MilestoneDialog({ path, milestone, onClose, onSaved }: MilestoneDialogProps) {
  const [title, setTitle] = useState(milestone?.title ?? '')
  const [description, setDescription] = useState(milestone?.description ?? '')
  const [start, setStart] = useState(milestone?.start_date ?? '')
  const [due, setDue] = useState(milestone?.due_date ?? '')
  const saving = useAction(async () => {
    const body = { title, description, start_date: start || null, due_date: due || null }
    const saved = milestone
      ? await requestJson<MilestoneRecord>(`${path}/${milestone.id}`, { method: 'PUT', body })
      : await requestJson<MilestoneRecord>(path, { method: 'POST', body })
    onClose()
    onSaved(saved)
  })
  return (
    <FormDialog
      title={milestone ? `Edit ${milestone.title}` : 'New milestone'}
      action={milestone ? 'Save changes' : 'Create milestone'}
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={title.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <Input label="Title" value={title} onInput={setTitle} required autoComplete="off" />
      <Input label="First day" type="date" value={start} onInput={setStart} />
      <Input label="Due date" type="date" value={due} onInput={setDue} />
      <TextArea label="Description" help="Markdown" rows={5} value={description} onInput={setDescription} />
    </FormDialog>
  )
}
