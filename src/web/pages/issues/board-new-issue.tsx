import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../addresses/first-reads.js'
import type { Board } from '../../../coordinator/planning/boards/schema.js'
import type { SingleIssue } from '../../../coordinator/planning/issues/record-schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { useRead } from '../../api/use-read.js'
import { notify, notifyError } from '../../frame/notices.js'
import { Combobox } from '../../kit/combobox.js'
import { Input } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { usePaused } from '../../kit/use-paused.js'
import type { ShownList } from './board-lists.js'
import { fieldsIn } from './card-moves.js'
import type { PlanOwner } from './plan-owner.js'

interface NewIssueDialogProps {
  owner: PlanOwner
  board: Board
  list: ShownList
  /** ID of the first issue of the list, before which the new one comes. */
  before: number | undefined
  onClose: () => void
  onCreated: () => void
}

/** A form for a new issue that belongs into a list of a board. */
export function NewIssueDialog({ owner, board, list, before, onClose, onCreated }: NewIssueDialogProps) {
  const [title, setTitle] = useState('')
  const [project, setProject] = useState(owner.kind === 'project' ? owner.path : '')
  const placing = useAction(
    (path: string, next: number) => requestJson(path, { method: 'PUT', body: { move_after_id: next } }),
    notifyError,
  )
  const creating = useAction(async () => {
    const path = `${projectApi(project)}/issues`
    const body = { title: title.trim(), ...fieldsIn(board, list) }
    const issue = await requestJson<SingleIssue>(path, { method: 'POST', body })
    notify(`${issue.references.short} was created`)
    onClose()
    if (before !== undefined) await placing.run(`${path}/${issue.iid}/reorder`, before)
    onCreated()
  })
  return (
    <FormDialog
      title={`New issue in ${list.name}`}
      action="Create issue"
      isBusy={creating.isBusy}
      error={creating.error}
      isIncomplete={title.trim() === '' || project === ''}
      onSubmit={() => void creating.run()}
      onClose={onClose}
    >
      {owner.kind === 'group' && <ProjectField group={owner.path} project={project} onChoose={setProject} />}
      <Input label="Title" value={title} onInput={setTitle} required autoComplete="off" />
    </FormDialog>
  )
}

interface ProjectFieldProps {
  group: string
  project: string
  onChoose: (path: string) => void
}

function ProjectField({ group, project, onChoose }: ProjectFieldProps) {
  const [text, setText] = useState('')
  const query = {
    search: usePaused(text) || undefined,
    include_subgroups: true,
    with_shared: false,
    with_issues_enabled: true,
    archived: false,
    simple: true,
    per_page: 20,
  }
  const { data = [] } = useRead<{ path_with_namespace: string }[]>(
    `${groupApi(group)}/projects${queryOf(query)}`,
    { keepsPrevious: true },
  )
  return (
    <Combobox
      label="Project"
      value={project}
      valueLabel={project}
      choices={data.map(({ path_with_namespace: path }) => ({ value: path, label: path }))}
      onSearch={setText}
      onChoose={({ value }) => onChoose(value)}
      none="No project found."
    />
  )
}
