import { useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { Branch } from '../../coordinator/hosting/branches/schema.js'
import type { SingleCommit } from '../../coordinator/hosting/commits/schema.js'
import { RequestError, requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead } from '../api/use-read.js'
import { Combobox } from '../kit/combobox.js'
import { CheckBox, Input } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'

export type Transplant = 'cherry-pick' | 'revert'

const WORDS = {
  'cherry-pick': {
    title: 'Cherry-pick commit',
    operation: 'cherry_pick',
    about: 'The changes are committed again to',
  },
  revert: {
    title: 'Revert commit',
    operation: 'revert',
    about: 'A commit that undoes the changes is added to',
  },
}

interface TransplantDialogProps {
  project: string
  kind: Transplant
  commit: Pick<SingleCommit, 'id' | 'short_id'>
  /** The branch that is proposed. */
  branch: string
  onDone: (made: SingleCommit, branch: string) => void
  onClose: () => void
}

/** Cherry-picks or reverts a commit on a branch, or on a new one that starts from it. */
export function TransplantDialog({ project, kind, commit, branch, onDone, onClose }: TransplantDialogProps) {
  const { title, operation, about } = WORDS[kind]
  const base = `${projectApi(project)}/repository`
  const [target, setTarget] = useState(branch)
  const [search, setSearch] = useState('')
  const [wantsNew, setWantsNew] = useState(false)
  const [name, setName] = useState(`${kind}-${commit.short_id}`)
  const branches = useRead<Branch[]>(
    `${base}/branches${queryOf({ search: search || undefined, sort: 'updated_desc', per_page: 20 })}`,
    { keepsPrevious: true },
  )
  const record = useRead<Branch>(target === '' ? undefined : `${base}/branches/${encodeURIComponent(target)}`)
  const mayPush = record.data?.can_push !== false
  const isNew = wantsNew || !mayPush
  const action = useAction(async () => {
    const onto = isNew ? name : target
    if (isNew) await requestJson(`${base}/branches`, { method: 'POST', body: { branch: name, ref: target } })
    const made = await requestJson<SingleCommit>(`${base}/commits/${commit.id}/${operation}`, {
      method: 'POST',
      body: { branch: onto },
    }).catch(async (error: unknown) => {
      // The branch would remain without the commit, and the next attempt could not create it.
      if (isNew && error instanceof RequestError)
        await requestJson(`${base}/branches/${encodeURIComponent(name)}`, { method: 'DELETE' })
      throw error
    })
    await refresh(base, `${projectApi(project)}/pipelines`)
    onDone(made, onto)
  })
  return (
    <FormDialog
      title={title}
      action={title}
      isBusy={action.isBusy}
      error={action.error}
      isIncomplete={target === ''}
      onSubmit={() => void action.run()}
      onClose={onClose}
    >
      <Combobox
        label="Branch"
        help={
          mayPush ? `${about} this branch.` : 'You may not push to this branch. A new one starts from it.'
        }
        value={target}
        valueLabel={target}
        choices={(branches.data ?? []).map(({ name: value }) => ({ value, label: value }))}
        onSearch={setSearch}
        onChoose={({ value }) => setTarget(value)}
        none="No branch has this name."
      />
      <CheckBox
        label="Commit to a new branch that starts from it"
        checked={isNew}
        disabled={!mayPush}
        onInput={setWantsNew}
      />
      {isNew && (
        <Input
          label="Name of the new branch"
          value={name}
          onInput={setName}
          required
          autoComplete="off"
          spellcheck={false}
        />
      )}
    </FormDialog>
  )
}
