import { Pencil, Plus, ShieldCheck, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type {
  AccessEntry,
  ProtectedBranch,
  ProtectedTag,
} from '../../../../coordinator/hosting/protected-refs/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button, IconButton } from '../../../kit/button.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { Empty } from '../../../kit/empty.js'
import { CheckBox, Input, Select } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { type Column, Table } from '../../../kit/table.js'
import styles from './page.module.css'
import { isWildcard, patternOf } from './protected-pattern.js'

const LEVELS = [
  { value: '40', label: 'Maintainers' },
  { value: '30', label: 'Developers and maintainers' },
  { value: '0', label: 'Nobody' },
]

/** What follows when a rule is removed. */
const UNPROTECTED = {
  branch:
    'Developers may push to what the rule matches, force-push and delete it. Its pipelines no longer get protected variables and runners.',
  tag: 'Developers may create and delete what the rule matches. Its pipelines no longer get protected variables and runners.',
}

interface ProtectedProps {
  project: string
  reason: string | undefined
}

/** Protected branches: who pushes and merges, and which branches each rule matches. */
export function ProtectedBranches({ project, reason }: ProtectedProps) {
  return (
    <ProtectedRefs<ProtectedBranch>
      {...{ project, reason }}
      kind="branch"
      edits={(rule, path, onClose) => <EditDialog {...{ rule, path, onClose }} />}
      title="Protected branches"
      path={`${projectApi(project)}/protected_branches`}
      about="Only some may push to a protected branch, and nobody deletes it with git. Its pipelines get protected variables and runners."
      columns={[
        { title: 'Push', cell: ({ push_access_levels: entries }) => namesOf(entries) },
        { title: 'Merge', cell: ({ merge_access_levels: entries }) => namesOf(entries) },
        {
          title: 'Force pushes',
          cell: ({ allow_force_push: isAllowed }) =>
            isAllowed ? <Badge tone="warning">allowed</Badge> : 'refused',
        },
      ]}
    />
  )
}

/** Protected tags: who creates them, and which tags each rule matches. */
export function ProtectedTags({ project, reason }: ProtectedProps) {
  return (
    <ProtectedRefs<ProtectedTag>
      {...{ project, reason }}
      kind="tag"
      title="Protected tags"
      path={`${projectApi(project)}/protected_tags`}
      about="Only some may create a protected tag. Its pipelines get protected variables and runners."
      columns={[{ title: 'Create', cell: ({ create_access_levels: entries }) => namesOf(entries) }]}
    />
  )
}

function namesOf(entries: readonly AccessEntry[]): string {
  return entries.map(({ access_level_description: name }) => name).join(', ') || 'nobody'
}

interface ProtectedRefsProps<Rule> extends ProtectedProps {
  kind: 'branch' | 'tag'
  title: string
  path: string
  about: string
  columns: readonly Column<Rule>[]
  /** The dialog that changes a rule; undefined where rules cannot be changed. */
  edits?: (rule: Rule, path: string, onClose: () => void) => ComponentChildren
}

function ProtectedRefs<Rule extends { name: string }>(props: ProtectedRefsProps<Rule>) {
  const { project, kind, title, path, about, columns, reason, edits } = props
  const { rows, result, next } = useReadList<Rule>(`${path}?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<string>()
  const [edited, setEdited] = useState<Rule>()
  const remove = useAction(async (name: string) => {
    await requestJson(`${path}/${encodeURIComponent(name)}`, { method: 'DELETE' })
    notify(`${name} is no longer protected`)
    setRemoved(undefined)
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title={title}
      actions={
        <Button size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
          Protect a {kind}
        </Button>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={ShieldCheck} title={`No ${kind} is protected.`}>
            {about}
          </Empty>
        }
      >
        <Table<Rule>
          label={title}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            {
              title: kind === 'branch' ? 'Branch' : 'Tag',
              isMain: true,
              cell: ({ name }) => (
                <>
                  <code class={styles['name']}>{name}</code>
                  <p class={styles['quiet']}>
                    <Matches project={project} kind={kind} name={name} />
                  </p>
                </>
              ),
            },
            ...columns,
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (rule) => (
                <span class={styles['actions']}>
                  {edits && (
                    <IconButton
                      size="small"
                      icon={Pencil}
                      label={`Edit the rule of ${rule.name}`}
                      reason={reason}
                      onClick={() => setEdited(rule)}
                    />
                  )}
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={`Unprotect ${rule.name}`}
                    reason={reason}
                    onClick={() => setRemoved(rule.name)}
                  />
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="rules" next={next} />
      {isAdding && <ProtectDialog {...{ kind, path }} onClose={() => setAdding(false)} />}
      {edited && edits?.(edited, path, () => setEdited(undefined))}
      {removed !== undefined && (
        <ConfirmDialog
          title={`Unprotect ${removed}?`}
          action={`Unprotect ${kind}`}
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <p>{UNPROTECTED[kind]}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

interface MatchesProps {
  project: string
  kind: 'branch' | 'tag'
  name: string
}

/** What a rule matches now. */
function Matches({ project, kind, name }: MatchesProps) {
  const isPattern = isWildcard(name)
  const filter = kind === 'branch' ? { regex: patternOf(name) } : { search: `^${name.replace(/\*.*$/, '')}` }
  const list = `${projectApi(project)}/repository/${kind === 'branch' ? 'branches' : 'tags'}`
  const matched = useReadList<{ name: string }>(`${list}${queryOf({ ...filter, per_page: 100 })}`)
  if (matched.result.isPending || matched.result.error) return null
  const pattern = new RegExp(patternOf(name))
  const names = matched.rows.map((row) => row.name).filter((found) => pattern.test(found))
  if (names.length === 0) return <>matches no {kind} yet</>
  if (!isPattern) return <>{`matches this ${kind}`}</>
  const count = `${names.length}${matched.hasMore ? '+' : ''}`
  const [first] = names
  return (
    <>
      matches {count} {kind === 'branch' ? 'branches' : 'tags'}
      {first !== undefined && (
        <>
          , such as <a href={addressOf('code/tree', { project, ref_path: first })}>{first}</a>
        </>
      )}
    </>
  )
}

interface ProtectDialogProps {
  kind: 'branch' | 'tag'
  path: string
  onClose: () => void
}

function ProtectDialog({ kind, path, onClose }: ProtectDialogProps) {
  const [name, setName] = useState('')
  const [push, setPush] = useState('40')
  const [merge, setMerge] = useState('40')
  const [allowsForce, setAllowsForce] = useState(false)
  const protect = useAction(async () => {
    await requestJson(path, {
      method: 'POST',
      body:
        kind === 'tag'
          ? { name, create_access_level: Number(push) }
          : {
              name,
              push_access_level: Number(push),
              merge_access_level: Number(merge),
              allow_force_push: allowsForce,
            },
    })
    notify(`${name} is protected`)
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title={`Protect a ${kind}`}
      action="Protect"
      isBusy={protect.isBusy}
      error={protect.error}
      onSubmit={() => void protect.run()}
      onClose={onClose}
    >
      <Input
        label={kind === 'branch' ? 'Branch or wildcard' : 'Tag or wildcard'}
        value={name}
        onInput={setName}
        required
        autoComplete="off"
        spellcheck={false}
        placeholder={kind === 'branch' ? 'release/*' : 'v*'}
      />
      <Select
        label={kind === 'branch' ? 'Who pushes' : 'Who creates it'}
        value={push}
        onInput={setPush}
        choices={LEVELS}
      />
      {kind === 'branch' && (
        <>
          <Select label="Who merges" value={merge} onInput={setMerge} choices={LEVELS} />
          <CheckBox label="Allow force pushes" checked={allowsForce} onInput={setAllowsForce} />
        </>
      )}
    </FormDialog>
  )
}

interface EditDialogProps {
  rule: ProtectedBranch
  /** Path of the list in the API. */
  path: string
  onClose: () => void
}

/** Changes the roles of a rule. Users and groups that it names keep their access. */
function EditDialog({ rule, path, onClose }: EditDialogProps) {
  const { name } = rule
  const [push, setPush] = useState(roleIn(rule.push_access_levels))
  const [merge, setMerge] = useState(roleIn(rule.merge_access_levels))
  const [allowsForce, setAllowsForce] = useState(rule.allow_force_push)
  const change = useAction(async () => {
    await requestJson(`${path}/${encodeURIComponent(name)}`, {
      method: 'PATCH',
      body: {
        push_access_level: Number(push),
        merge_access_level: Number(merge),
        allow_force_push: allowsForce,
      },
    })
    notify(`The rule of ${name} was changed`)
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title={`Rule of ${name}`}
      action="Save"
      isBusy={change.isBusy}
      error={change.error}
      onSubmit={() => void change.run()}
      onClose={onClose}
    >
      <Select label="Who pushes" value={push} onInput={setPush} choices={LEVELS} />
      <Select label="Who merges" value={merge} onInput={setMerge} choices={LEVELS} />
      <CheckBox label="Allow force pushes" checked={allowsForce} onInput={setAllowsForce} />
    </FormDialog>
  )
}

/** The role among the entries of a rule, as a choice; "Nobody" without one. */
function roleIn(entries: readonly AccessEntry[]): string {
  return String(entries.find(({ access_level: level }) => level !== null)?.access_level ?? 0)
}
