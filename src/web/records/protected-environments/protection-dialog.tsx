import { useId, useState } from 'preact/hooks'

import type { ProtectedEnvironment } from '../../../coordinator/ci/protected-environments/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useRead } from '../../api/use-read.js'
import { notify } from '../../frame/notices.js'
import { Input, Select } from '../../kit/field.js'
import { FormDialog } from '../../kit/form-dialog.js'
import { type Entry, entryChanges, newEntry } from './entries.js'
import { EntryFields } from './entry-fields.js'

const TIERS = ['production', 'staging', 'testing', 'development', 'other']

interface ProtectionDialogProps {
  base: string
  owner: 'project' | 'group'
  /** The rule to change; without it, one is created. */
  rule?: ProtectedEnvironment
  /** Names that are protected already. */
  taken: readonly string[]
  onClose: () => void
}

/** Protects an environment, or changes who may deploy to it and who must approve. */
export function ProtectionDialog({ base, owner, rule, taken, onClose }: ProtectionDialogProps) {
  const path = `${base}/protected_environments`
  const free = TIERS.filter((tier) => !taken.includes(tier))
  const [name, setName] = useState(rule?.name ?? (owner === 'group' ? (free[0] ?? '') : ''))
  const [deployers, setDeployers] = useState<readonly Entry[]>(rule?.deploy_access_levels ?? [])
  const [approvers, setApprovers] = useState<readonly Entry[]>(rule?.approval_rules ?? [])
  const [count, setCount] = useState(String(rule?.required_approval_count ?? 0))
  const save = useAction(async () => {
    const approvals = { required_approval_count: approvers.length > 0 ? 0 : Number(count) }
    await (rule
      ? requestJson(`${path}/${encodeURIComponent(rule.name)}`, {
          method: 'PUT',
          body: {
            ...approvals,
            deploy_access_levels: entryChanges(rule.deploy_access_levels, deployers),
            approval_rules: entryChanges(rule.approval_rules, approvers),
          },
        })
      : requestJson(path, {
          method: 'POST',
          body: {
            ...approvals,
            name: name.trim(),
            deploy_access_levels: deployers.map(newEntry),
            approval_rules: approvers.map(newEntry),
          },
        }))
    notify(rule ? `The protection of ${name} was changed` : `${name} is protected`)
    onClose()
    await refresh(path, `${base}/environments`)
  })
  return (
    <FormDialog
      title={rule ? `Protection of ${rule.name}` : 'Protect an environment'}
      action={rule ? 'Save changes' : 'Protect'}
      isBusy={save.isBusy}
      error={save.error}
      isIncomplete={deployers.length === 0 || name.trim() === ''}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      {!rule && owner === 'group' && (
        <Select
          label="Deployment tier"
          value={name}
          onInput={setName}
          choices={free.map((tier) => ({ value: tier, label: tier }))}
          help="Of the environments in all projects inside."
        />
      )}
      {!rule && owner === 'project' && <NameField {...{ base, taken }} value={name} onInput={setName} />}
      <EntryFields
        {...{ base, owner }}
        label="Allowed to deploy"
        entries={deployers}
        onChange={setDeployers}
      />
      <EntryFields
        {...{ base, owner }}
        withApprovals
        label="Must approve"
        help="A deployment waits until each of these has approved it."
        entries={approvers}
        onChange={setApprovers}
      />
      {approvers.length === 0 && (
        <Input
          label="Approvals by those who may deploy"
          type="number"
          min={0}
          max={5}
          value={count}
          onInput={setCount}
          required
          help="0 lets them deploy without any."
        />
      )}
    </FormDialog>
  )
}

interface NameFieldProps {
  base: string
  taken: readonly string[]
  value: string
  onInput: (name: string) => void
}

/** The name of an environment, which need not exist yet. */
function NameField({ base, taken, value, onInput }: NameFieldProps) {
  const list = useId()
  const { data } = useRead<{ id: number; name: string }[]>(`${base}/environments?per_page=100`)
  return (
    <>
      <Input
        label="Environment"
        value={value}
        onInput={onInput}
        list={list}
        required
        autoComplete="off"
        spellcheck={false}
        placeholder="production"
        error={taken.includes(value.trim()) ? 'This environment is protected already.' : undefined}
      />
      <datalist id={list}>
        {(data ?? [])
          .filter(({ name }) => !taken.includes(name))
          .map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
      </datalist>
    </>
  )
}
