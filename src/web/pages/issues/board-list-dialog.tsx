import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { useRead } from '../../api/use-read.js'
import { Combobox, type ComboboxChoice } from '../../kit/combobox.js'
import { Select } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { usePaused } from '../../kit/use-paused.js'
import { ownerApi, type PlanOwner } from './plan-owner.js'

interface ListDialogProps {
  owner: PlanOwner
  /** Path of the board in the API. */
  path: string
  onClose: () => void
  onAdded: () => void
}

const KINDS = [
  { value: 'label', label: 'Label' },
  { value: 'assignee', label: 'Assignee' },
  { value: 'milestone', label: 'Milestone' },
]

interface Found {
  id: number
  name?: string
  username?: string
  title?: string
}

/** Asks for the label, person or milestone of a new list. */
export function ListDialog({ owner, path, onClose, onAdded }: ListDialogProps) {
  const [kind, setKind] = useState('label')
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ComboboxChoice>()
  const search = usePaused(text) || undefined
  const { data = [] } = useRead<Found[]>(ownerApi(owner) + sourceOf(owner, kind, search), {
    keepsPrevious: true,
  })
  const adding = useAction(async () => {
    await requestJson(`${path}/lists`, { method: 'POST', body: { [`${kind}_id`]: Number(chosen?.value) } })
    onAdded()
    onClose()
  })
  return (
    <FormDialog
      title="Add a list"
      action="Add list"
      isBusy={adding.isBusy}
      error={adding.error}
      isIncomplete={!chosen}
      onSubmit={() => void adding.run()}
      onClose={onClose}
    >
      <Select
        label="Show the issues of a"
        value={kind}
        onInput={(value) => {
          setKind(value)
          setChosen(undefined)
        }}
        choices={KINDS}
      />
      <Combobox
        key={kind}
        label={KINDS.find(({ value }) => value === kind)?.label ?? ''}
        help="The list shows the open issues with it. An issue that is moved into the list gets it."
        value={chosen?.value ?? ''}
        valueLabel={chosen?.label ?? ''}
        choices={data.map(({ id, name, username, title }) => ({
          value: String(id),
          label: title ?? name ?? '',
          ...(username !== undefined && { detail: `@${username}` }),
        }))}
        onSearch={setText}
        onChoose={setChosen}
      />
    </FormDialog>
  )
}

function sourceOf(owner: PlanOwner, kind: string, search: string | undefined): string {
  if (kind === 'label') return `/labels${queryOf({ search, per_page: 30 })}`
  if (kind === 'milestone') {
    return `/milestones${queryOf({ search, state: 'active', include_ancestors: true, per_page: 30 })}`
  }
  return owner.kind === 'project'
    ? `/users${queryOf({ search, per_page: 30 })}`
    : `/members/all${queryOf({ query: search, per_page: 30 })}`
}
