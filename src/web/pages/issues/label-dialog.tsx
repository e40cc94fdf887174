import { useState } from 'preact/hooks'

import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { LabelChip } from '../../discussion/label-chip.js'
import { Field, Input } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import styles from './label-dialog.module.css'

interface EditedLabel {
  id: number
  name: string
  color: string
  description: string | null
  priority?: number | null
}

interface LabelDialogProps {
  /** Path of the labels in the API. */
  path: string
  /** The label that is changed; a new one without it. */
  label: EditedLabel | undefined
  /** Labels of a project have a priority there. */
  hasPriority: boolean
  onClose: () => void
  onSaved: () => void
}

const COLORS = ['#d1242f', '#bc4c00', '#bf8700', '#1f883d', '#0969da', '#8250df', '#bf3989', '#57606a']

/** A form for a label. */
export function LabelDialog({ path, label, hasPriority, onClose, onSaved }: LabelDialogProps) {
  const [name, setName] = useState(label?.name ?? '')
  const [color, setColor] = useState(longColor(label?.color ?? COLORS[4] ?? ''))
  const [description, setDescription] = useState(label?.description ?? '')
  const [priority, setPriority] = useState(String(label?.priority ?? ''))
  const saving = useAction(async () => {
    const body = {
      ...(label ? { new_name: name } : { name }),
      color,
      description,
      ...(hasPriority && { priority: priority === '' ? null : Number(priority) }),
    }
    if (label) await requestJson(`${path}/${label.id}`, { method: 'PUT', body })
    else await requestJson(path, { method: 'POST', body })
    onSaved()
    onClose()
  })
  return (
    <FormDialog
      title={label ? `Edit ${label.name}` : 'New label'}
      action={label ? 'Save changes' : 'Create label'}
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={name.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} required autoComplete="off" />
      <Field label="Color">
        {(ids) => (
          <div class={styles['colors']}>
            <input
              {...ids}
              type="color"
              value={color}
              onInput={({ currentTarget }) => setColor(currentTarget.value)}
            />
            {COLORS.map((each) => (
              <button
                key={each}
                type="button"
                class={styles['color']}
                style={{ background: each }}
                aria-label={`Use ${each}`}
                aria-pressed={each === color}
                onClick={() => setColor(each)}
              />
            ))}
            <LabelChip label={{ name: name || 'label', color }} />
          </div>
        )}
      </Field>
      <Input label="Description" value={description} onInput={setDescription} autoComplete="off" />
      {hasPriority && (
        <Input
          label="Priority"
          help="0 is the most important; empty for none. Lists can be ordered by it."
          type="number"
          min={0}
          value={priority}
          onInput={setPriority}
        />
      )}
    </FormDialog>
  )
}

/** `#rgb` as `#rrggbb`, which fields for colors need. */
function longColor(color: string): string {
  return /^#[0-9a-f]{3}$/i.test(color) ? color.replace(/[0-9a-f]/gi, '$&$&') : color.toLowerCase()
}
