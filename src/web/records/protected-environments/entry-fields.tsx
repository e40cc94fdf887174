import { X } from 'lucide'
import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { DEVELOPER } from '../../../coordinator/access/access-levels.js'
import type { Member } from '../../../coordinator/accounts/members/schema.js'
import { useRead } from '../../api/use-read.js'
import { IconButton } from '../../kit/button.js'
import { Combobox, type ComboboxChoice } from '../../kit/combobox.js'
import { Select } from '../../kit/field.js'
import { type Entry, entryKey, NOBODY } from './entries.js'
import styles from './protected-environments.module.css'

const ROLES = [
  { value: 'role 40', label: 'Maintainers', detail: 'role' },
  { value: 'role 30', label: 'Developers + Maintainers', detail: 'role' },
  { value: 'role 60', label: 'Administrators', detail: 'role' },
]

const APPROVALS = [1, 2, 3, 4, 5].map((count) => ({
  value: String(count),
  label: count === 1 ? '1 approval' : `${count} approvals`,
}))

const INHERITANCE = [
  { value: '0', label: 'direct members' },
  { value: '1', label: 'with inherited members' },
]

interface EntryFieldsProps {
  /** Path of the project or group in the API. */
  base: string
  owner: 'project' | 'group'
  label: string
  help?: string
  entries: readonly Entry[]
  onChange: (entries: readonly Entry[]) => void
  /** Each entry has a number of approvals. */
  withApprovals?: boolean
}

/** A list of roles, users and groups, and a field that adds one. */
export function EntryFields(props: EntryFieldsProps) {
  const { base, owner, label, help, entries, onChange, withApprovals = false } = props
  const chosen = new Set(entries.map(entryKey))
  const { choices, search } = useChoices(base, owner)
  const change = (changed: Entry, fields: Partial<Entry>) =>
    onChange(entries.map((entry) => (entry === changed ? { ...entry, ...fields } : entry)))
  const add = ({ value, label: name }: ComboboxChoice) => {
    if (chosen.has(value)) return
    const [kind, id] = value.split(' ')
    onChange([
      ...entries,
      {
        ...NOBODY,
        [{ role: 'access_level', user: 'user_id' }[kind ?? ''] ?? 'group_id']: Number(id),
        access_level_description: name,
        ...(withApprovals && { required_approvals: 1 }),
      },
    ])
  }
  return (
    <fieldset class={styles['entries']}>
      <legend>{label}</legend>
      {entries.length > 0 && (
        <ul>
          {entries.map((entry) => {
            const { access_level_description: name, group_id: group, group_inheritance_type: type } = entry
            return (
              <li key={entryKey(entry)}>
                <span class={styles['who']}>{name}</span>
                {group !== null && (
                  <Select
                    hidesLabel
                    label={`Members of ${name}`}
                    value={String(type)}
                    onInput={(value) => change(entry, { group_inheritance_type: Number(value) })}
                    choices={INHERITANCE}
                  />
                )}
                {withApprovals && (
                  <Select
                    hidesLabel
                    label={`Approvals by ${name}`}
                    value={String(entry.required_approvals ?? 1)}
                    onInput={(value) => change(entry, { required_approvals: Number(value) })}
                    choices={APPROVALS}
                  />
                )}
                <IconButton
                  size="small"
                  icon={X}
                  label={`Remove ${name}`}
                  onClick={() => onChange(entries.filter((other) => other !== entry))}
                />
              </li>
            )
          })}
        </ul>
      )}
      <Combobox
        hidesLabel
        label={`Add to: ${label}`}
        value=""
        valueLabel="Add a role, user or group"
        choices={choices.filter(({ value }) => !chosen.has(value))}
        onSearch={search}
        onChoose={add}
        help={help}
      />
    </fieldset>
  )
}

interface FoundGroup {
  id: number
  full_path: string
}

/** Roles, members with at least the role Developer, and groups that may be named. */
function useChoices(base: string, owner: 'project' | 'group') {
  const [text, setText] = useState('')
  const found = text.trim()
  const members = useRead<Member[]>(
    `${base}/members/all${queryOf({ query: found || undefined, per_page: 20 })}`,
    { keepsPrevious: true },
  )
  const groups = useRead<FoundGroup[]>(
    owner === 'project'
      ? `${base}/groups${queryOf({ with_shared: true, search: found || undefined, per_page: 20 })}`
      : `${base}/descendant_groups${queryOf({ search: found || undefined, per_page: 20 })}`,
    { keepsPrevious: true },
  )
  const self = useRead<FoundGroup>(owner === 'group' ? `${base}?with_projects=false` : undefined)
  const choices: ComboboxChoice[] = [
    ...ROLES.filter(({ label }) => label.toLowerCase().includes(found.toLowerCase())),
    ...(members.data ?? [])
      .filter(({ access_level: level }) => level >= DEVELOPER)
      .map(({ id, name, username }) => ({ value: `user ${id}`, label: name, detail: `@${username}` })),
    ...[...(self.data?.full_path.includes(found) ? [self.data] : []), ...(groups.data ?? [])].map(
      ({ id, full_path: label }) => ({ value: `group ${id}`, label, detail: 'group' }),
    ),
  ]
  return { choices, search: setText }
}
