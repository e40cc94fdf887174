import { useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import { useRead } from '../../../api/use-read.js'
import { useSearch } from '../../../frame/location.js'
import { Combobox } from '../../../kit/combobox.js'
import { Select } from '../../../kit/field.js'
import { Tools } from '../../../kit/tools.js'
import { TODO_ACTIONS } from '../todo-words.js'
import styles from './page.module.css'

/** Names of the parameters in the address and in the API. */
export const FILTERS = ['type', 'action', 'project_id', 'author_id'] as const

/** Selects to-dos by kind, reason, project and author; the choice is in the address. */
export function Filters() {
  const [search, setSearch] = useSearch()
  const valueOf = (name: (typeof FILTERS)[number]) => search.get(name) ?? ''
  return (
    <Tools class={styles['tools']}>
      <Select
        label="Kind"
        hidesLabel
        class={styles['filter']}
        value={valueOf('type')}
        onInput={(type) => setSearch({ type })}
        choices={[
          { value: '', label: 'All kinds' },
          { value: 'Issue', label: 'Issues' },
          { value: 'MergeRequest', label: 'Merge requests' },
        ]}
      />
      <Select
        label="Reason"
        hidesLabel
        class={styles['filter']}
        value={valueOf('action')}
        onInput={(action) => setSearch({ action })}
        choices={[
          { value: '', label: 'All reasons' },
          ...TODO_ACTIONS.map(([value, label]) => ({ value, label })),
        ]}
      />
      <ProjectFilter id={valueOf('project_id')} onChoose={(id) => setSearch({ project_id: id })} />
      <AuthorFilter id={valueOf('author_id')} onChoose={(id) => setSearch({ author_id: id })} />
    </Tools>
  )
}

interface FilterProps {
  /** An empty text = all. */
  id: string
  onChoose: (id: string) => void
}

interface Project {
  id: number
  path_with_namespace: string
}

function ProjectFilter({ id, onChoose }: FilterProps) {
  const [text, setText] = useState<string>()
  const found = useRead<Project[]>(
    text === undefined
      ? undefined
      : `/projects${queryOf({ search: text || undefined, search_namespaces: true, membership: true, simple: true, per_page: 20 })}`,
    { keepsPrevious: true },
  ).data
  const chosen = useRead<Project>(id === '' ? undefined : projectApi(id)).data
  return (
    <div class={styles['filter']}>
      <Combobox
        label="Project"
        hidesLabel
        value={id}
        valueLabel={id === '' ? 'All projects' : (chosen?.path_with_namespace ?? `Project ${id}`)}
        choices={[
          { value: '', label: 'All projects' },
          ...(found ?? []).map((project) => ({
            value: String(project.id),
            label: project.path_with_namespace,
          })),
        ]}
        onSearch={setText}
        onChoose={({ value }) => onChoose(value)}
      />
    </div>
  )
}

interface Person {
  id: number
  username: string
  name: string
}

function AuthorFilter({ id, onChoose }: FilterProps) {
  const [text, setText] = useState<string>()
  const found = useRead<Person[]>(
    text === undefined ? undefined : `/users${queryOf({ search: text || undefined, per_page: 20 })}`,
    { keepsPrevious: true },
  ).data
  const chosen = useRead<Person>(id === '' ? undefined : `/users/${encodeURIComponent(id)}`).data
  return (
    <div class={styles['filter']}>
      <Combobox
        label="Author"
        hidesLabel
        value={id}
        valueLabel={id === '' ? 'All authors' : (chosen?.name ?? `User ${id}`)}
        choices={[
          { value: '', label: 'All authors' },
          ...(found ?? []).map((person) => ({
            value: String(person.id),
            label: person.name,
            detail: `@${person.username}`,
          })),
        ]}
        onSearch={setText}
        onChoose={({ value }) => onChoose(value)}
      />
    </div>
  )
}
