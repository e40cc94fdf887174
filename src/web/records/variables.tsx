import { ClipboardPaste, Pencil, Plus, Trash2, Variable as VariableIcon } from 'lucide'
import { useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import type { Variable } from '../../coordinator/ci/variables/schema.js'
import { requestJson } from '../api/client.js'
import { fieldErrors } from '../api/error-message.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notify, notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Button, IconButton } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { CheckBox, Input, Select, TextArea } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { PageActions } from '../kit/page-actions.js'
import { Panel } from '../kit/panel.js'
import { SearchField } from '../kit/search-field.js'
import { Table } from '../kit/table.js'
import { readEnvFile } from './env-file.js'
import { HiddenValue } from './hidden-value.js'
import { maskingProblem } from './masking-problem.js'
import { VariableOptions } from './variable-options.js'
import styles from './variables.module.css'

/** Variables of the instance have no environment. */
type ShownVariable = Omit<Variable, 'environment_scope'> & { environment_scope?: string }

interface VariablesProps {
  /** Path in the API: `/projects/5/variables`, `/groups/7/variables` or `/admin/ci/variables`. */
  path: string
  withEnvironments: boolean
  /** Why nothing can be changed now. */
  reason?: string | undefined
}

/** CI/CD variables: a table with hidden values, and what creates, changes and deletes them. */
export function Variables({ path, withEnvironments, reason }: VariablesProps) {
  const { rows, result, hasMore, next } = useReadList<ShownVariable>(`${path}?per_page=100`)
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<ShownVariable | 'new'>()
  const [deleted, setDeleted] = useState<ShownVariable>()
  const [pastes, setPastes] = useState(false)
  const remove = useAction(async (variable: ShownVariable) => {
    await requestJson(addressOfVariable(path, variable), { method: 'DELETE' })
    setDeleted(undefined)
    notify(`${variable.key} was deleted`)
    await refresh(path)
  }, notifyError)
  const wanted = search.trim().toLowerCase()
  const shown = rows.filter(({ key, environment_scope: scope }) =>
    [key, scope ?? ''].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <Panel
      isFlush
      title="Variables"
      actions={
        <PageActions size="small">
          <Button size="small" icon={ClipboardPaste} reason={reason} onClick={() => setPastes(true)}>
            Paste .env
          </Button>
          <Button size="small" kind="primary" icon={Plus} reason={reason} onClick={() => setEdited('new')}>
            Add variable
          </Button>
        </PageActions>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={4}
        empty={
          <Empty icon={VariableIcon} title="There is no variable yet.">
            Variables are in the environment of jobs: addresses, keys, tokens.
          </Empty>
        }
      >
        <div class={styles['tools']}>
          <SearchField
            label="Filter variables"
            placeholder={withEnvironments ? 'Filter by key or environment' : 'Filter by key'}
            value={search}
            onSearch={setSearch}
          />
        </div>
        <Table<ShownVariable>
          label="Variables"
          rows={shown}
          keyOf={({ key, environment_scope: scope }) => `${key} ${scope}`}
          columns={[
            {
              title: 'Key',
              isMain: true,
              cell: ({ key, description }) => (
                <>
                  <code class={styles['key']}>{key}</code>
                  {description !== null && <div class={styles['quiet']}>{description}</div>}
                </>
              ),
            },
            { title: 'Value', cell: (variable) => <Value variable={variable} /> },
            {
              title: 'Options',
              isDetail: true,
              cell: (variable) => <VariableOptions variable={variable} />,
            },
            ...(withEnvironments
              ? [
                  {
                    title: 'Environments',
                    cell: ({ environment_scope: scope }: ShownVariable) =>
                      scope === '*' ? 'all' : <code>{scope}</code>,
                  },
                ]
              : []),
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (variable) => (
                <span class={styles['badges']}>
                  <IconButton
                    size="small"
                    icon={Pencil}
                    label={`Edit ${variable.key}`}
                    reason={reason}
                    onClick={() => setEdited(variable)}
                  />
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={`Delete ${variable.key}`}
                    reason={reason}
                    onClick={() => setDeleted(variable)}
                  />
                </span>
              ),
            },
          ]}
        />
        {shown.length === 0 && !hasMore && <p class={styles['none']}>No variable matches.</p>}
        <LoadMore of="variables" next={next} />
      </ReadRows>
      {edited !== undefined && (
        <EditDialog
          path={path}
          variable={edited === 'new' ? undefined : edited}
          withEnvironments={withEnvironments}
          onClose={() => setEdited(undefined)}
        />
      )}
      {pastes && <PasteDialog path={path} onClose={() => setPastes(false)} />}
      {deleted && (
        <ConfirmDialog
          title={`Delete ${deleted.key}?`}
          action="Delete variable"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted)}
          onClose={() => setDeleted(undefined)}
        >
          <p>Jobs that start from now on do not have it.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

function Value({ variable: { key, value } }: { variable: ShownVariable }) {
  if (value === null) return <span class={styles['quiet']}>never shown</span>
  return (
    <span class={styles['value']}>
      <HiddenValue name={key} value={value} />
    </span>
  )
}

interface EditDialogProps {
  path: string
  variable: ShownVariable | undefined
  withEnvironments: boolean
  onClose: () => void
}

const VISIBILITIES = [
  { value: 'visible', label: 'Visible in logs' },
  { value: 'masked', label: 'Masked in logs' },
  { value: 'hidden', label: 'Masked, and never shown again here' },
]

function EditDialog({ path, variable, withEnvironments, onClose }: EditDialogProps) {
  const [key, setKey] = useState(variable?.key ?? '')
  const [value, setValue] = useState(variable?.value ?? '')
  const [type, setType] = useState<string>(variable?.variable_type ?? 'env_var')
  const [scope, setScope] = useState(variable?.environment_scope ?? '*')
  const [description, setDescription] = useState(variable?.description ?? '')
  const [visibility, setVisibility] = useState(variable?.masked ? 'masked' : 'visible')
  const [isProtected, setProtected] = useState(variable?.protected ?? false)
  const [expands, setExpands] = useState(!(variable?.raw ?? true))
  // The page does not have hidden values. Such a value is kept unless another one is entered.
  const keepsValue = variable?.value === null && value === ''
  const save = useAction(async () => {
    const body = {
      ...(!keepsValue && { value }),
      variable_type: type,
      protected: isProtected,
      raw: !expands,
      ...(withEnvironments && { environment_scope: scope }),
      description: description === '' ? null : description,
    }
    if (variable) {
      const address = addressOfVariable(path, variable)
      await requestJson(address, { method: 'PUT', body: { ...body, masked: visibility === 'masked' } })
    } else {
      const masking =
        visibility === 'hidden' ? { masked_and_hidden: true } : { masked: visibility === 'masked' }
      await requestJson(path, { method: 'POST', body: { key, ...body, ...masking } })
    }
    notify(`${key} was saved`)
    await refresh(path)
    onClose()
  })
  const errors = fieldErrors(save.error?.body)
  const unmaskable = visibility === 'visible' || value === '' ? undefined : maskingProblem(value, expands)
  return (
    <FormDialog
      title={variable ? `Edit ${variable.key}` : 'Add variable'}
      action={variable ? 'Save changes' : 'Add variable'}
      isBusy={save.isBusy}
      error={save.error}
      isIncomplete={unmaskable !== undefined}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <Input
        label="Key"
        value={key}
        onInput={setKey}
        error={errors['key']}
        required
        disabled={variable !== undefined}
        spellcheck={false}
        autoComplete="off"
      />
      <TextArea
        label="Value"
        value={value}
        onInput={setValue}
        error={unmaskable ?? errors['value']}
        help={
          variable?.value === null
            ? 'Leave it empty to keep the current value, which is never shown.'
            : undefined
        }
        spellcheck={false}
      />
      <div class={styles['pair']}>
        <Select
          label="Type"
          value={type}
          onInput={setType}
          choices={[
            { value: 'env_var', label: 'Variable' },
            { value: 'file', label: 'File' },
          ]}
        />
        <Select
          label="Visibility"
          value={visibility}
          onInput={setVisibility}
          choices={variable ? VISIBILITIES.slice(0, 2) : VISIBILITIES}
        />
      </div>
      {withEnvironments && (
        <Input
          label="Environments"
          value={scope}
          onInput={setScope}
          spellcheck={false}
          help="* stands for any characters: review/* for all of a folder."
        />
      )}
      <Input label="Description" value={description} onInput={setDescription} autoComplete="off" />
      <CheckBox
        label="Protected"
        help="Only jobs of protected branches and tags have it."
        checked={isProtected}
        onInput={setProtected}
      />
      <CheckBox
        label="Expand references"
        help="$NAME in the value stands for another variable."
        checked={expands}
        onInput={setExpands}
      />
    </FormDialog>
  )
}

function PasteDialog({ path, onClose }: { path: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set())
  const { entries: all, wrong } = readEnvFile(text)
  // After a refused line, the lines before it are not sent again.
  const entries = all.filter(({ key }) => !added.has(key))
  const add = useAction(async () => {
    const done = new Set(added)
    try {
      for (const { key, value } of entries) {
        await requestJson(path, { method: 'POST', body: { key, value, raw: true } })
        done.add(key)
      }
    } finally {
      setAdded(done)
      await refresh(path)
    }
    notify(done.size === 1 ? '1 variable was added' : `${done.size} variables were added`)
    onClose()
  })
  return (
    <FormDialog
      title="Paste a .env file"
      action={entries.length === 1 ? 'Add 1 variable' : `Add ${entries.length} variables`}
      isBusy={add.isBusy}
      error={add.error}
      isIncomplete={entries.length === 0}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <TextArea
        label="Lines such as KEY=value"
        value={text}
        onInput={setText}
        rows={10}
        spellcheck={false}
        error={wrong.length > 0 ? `No assignment in line ${wrong.join(', ')}.` : undefined}
      />
    </FormDialog>
  )
}

/** Several variables may have one key, for different environments. */
function addressOfVariable(path: string, { key, environment_scope: scope }: ShownVariable): string {
  return `${path}/${encodeURIComponent(key)}${queryOf({ 'filter[environment_scope]': scope })}`
}
