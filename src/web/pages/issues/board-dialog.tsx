import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import type { Board } from '../../../coordinator/planning/boards/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import type { Choosable } from '../../discussion/choice-box.js'
import {
  findLabels,
  findMilestones,
  findPeople,
  labelChoice,
  milestoneChoice,
  personChoice,
} from '../../discussion/choosables.js'
import { CheckBox, Input } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { ChosenPart } from '../../planned/chosen-part.js'
import { ownerApi, type PlanOwner } from './plan-owner.js'

interface BoardDialogProps {
  owner: PlanOwner
  /** The board that is changed; a new one without it. */
  board: Board | undefined
  onClose: () => void
  onSaved: (board: Board) => void
}

/** A form for a board: its name, and to which issues it is limited. */
export function BoardDialog({ owner, board, onClose, onSaved }: BoardDialogProps) {
  const base = ownerApi(owner)
  const [name, setName] = useState(board?.name ?? '')
  const [hidesOpen, setHidesOpen] = useState(board?.hide_backlog_list ?? false)
  const [hidesClosed, setHidesClosed] = useState(board?.hide_closed_list ?? false)
  const [labels, setLabels] = useState<readonly Choosable[]>((board?.labels ?? []).map(labelChoice))
  const [milestone, setMilestone] = useState<readonly Choosable[]>(
    board?.milestone ? [milestoneChoice(board.milestone)] : [],
  )
  const [assignee, setAssignee] = useState<readonly Choosable[]>(
    board?.assignee ? [personChoice(board.assignee)] : [],
  )
  const [weight, setWeight] = useState(String(board?.weight ?? ''))
  const saving = useAction(async () => {
    const body = {
      name,
      hide_backlog_list: hidesOpen,
      hide_closed_list: hidesClosed,
      labels: labels.map(({ key }) => key),
      milestone_id: milestone[0] ? Number(milestone[0].key) : null,
      assignee_id: assignee[0] ? Number(assignee[0].key) : null,
      weight: weight === '' ? null : Number(weight),
    }
    const saved = await requestJson<Board>(board ? `${base}/boards/${board.id}` : `${base}/boards`, {
      method: board ? 'PUT' : 'POST',
      body,
    })
    onClose()
    onSaved(saved)
  })
  return (
    <FormDialog
      title={board ? `Edit ${board.name}` : 'New board'}
      action={board ? 'Save changes' : 'Create board'}
      isBusy={saving.isBusy}
      error={saving.error}
      isIncomplete={name.trim() === ''}
      onSubmit={() => void saving.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} required autoComplete="off" />
      <CheckBox label="Hide the list of open issues" checked={hidesOpen} onInput={setHidesOpen} />
      <CheckBox label="Hide the list of closed issues" checked={hidesClosed} onInput={setHidesClosed} />
      <p>Show only issues with:</p>
      <ChosenPart title="Labels" chosen={labels} find={findLabels(base)} onChange={setLabels} />
      <ChosenPart
        title="Milestone"
        isSingle
        chosen={milestone}
        find={findMilestones(base)}
        onChange={setMilestone}
      />
      <ChosenPart
        title="Assignee"
        isSingle
        chosen={assignee}
        find={owner.kind === 'project' ? findPeople(base) : findMembers(base)}
        onChange={setAssignee}
      />
      <Input label="Weight" type="number" min={0} value={weight} onInput={setWeight} />
    </FormDialog>
  )
}

function findMembers(base: string): (text: string) => Promise<Choosable[]> {
  return async (text) =>
    (
      await requestJson<Parameters<typeof personChoice>[0][]>(
        `${base}/members/all${queryOf({ query: text || undefined, per_page: 50 })}`,
      )
    ).map(personChoice)
}
