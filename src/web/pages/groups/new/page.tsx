import { Download } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { groupRecord } from '../../../../addresses/first-reads.js'
import { pathNameFrom, problemOfPathName } from '../../../../addresses/path-name.js'
import { MAINTAINER } from '../../../../coordinator/access/access-levels.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { fieldErrors } from '../../../api/error-message.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { rememberGroups } from '../../../frame/found.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Alert } from '../../../kit/alert.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Combobox } from '../../../kit/combobox.js'
import { Input, TextArea } from '../../../kit/field.js'
import { PageHeader } from '../../../kit/panel.js'
import { groupsPath } from '../../../records/namespaces.js'
import { atMost, VisibilityField } from '../../../records/visibility-field.js'
import styles from './page.module.css'

const PAUSE_MILLISECONDS = 250
const TOP = { id: undefined, path: '', visibility: 'public' }

interface Parent {
  /** Undefined at the top level. */
  id: number | undefined
  path: string
  visibility: string
}

/** Creates a group, at the top level or inside another one. */
export function Page() {
  const [query] = useSearch()
  const [chosen, setParent] = useState<Parent>()
  const given = query.get('parent_id')
  const { data: group } = useRead<Group>(given === null ? undefined : groupRecord(given))
  const parent = chosen ?? (group ? { ...group, path: group.full_path } : TOP)
  const [name, setName] = useState('')
  const [typedPath, setPath] = useState('')
  const [description, setDescription] = useState('')
  const [wished, setVisibility] = useState('private')
  const path = typedPath || pathNameFrom(name)
  const visibility = atMost(wished, parent.visibility)
  const problem = usePathProblem(parent, path)
  const create = useAction(async () => {
    const made = await requestJson<Group>('/groups', {
      method: 'POST',
      body: { name, path, parent_id: parent.id, description, visibility },
    })
    await refresh('/groups')
    rememberGroups([made.full_path])
    navigate(`/${made.full_path}`)
  })
  const errors = fieldErrors(create.error?.body)
  const title = parent.id === undefined ? 'New group' : 'New subgroup'
  useTitle(title)
  return (
    <>
      <PageHeader
        title={title}
        details="A group holds projects that share members, variables and runners."
        actions={
          <LinkButton
            icon={Download}
            href={addressOf('groups/import', {}, { parent: parent.path || undefined })}
          >
            Import a group
          </LinkButton>
        }
      />
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (problem === undefined) void create.run()
        }}
      >
        {create.error && <Alert tone="error" title={create.error.message} />}
        <Input
          label="Group name"
          value={name}
          onInput={setName}
          error={errors['name']}
          required
          autoFocus
          autoComplete="off"
        />
        <div class={styles['destination']}>
          <ParentField value={parent} onChoose={setParent} />
          <Input
            label="Path"
            value={path}
            onInput={setPath}
            error={problem === undefined ? errors['path'] : `This ${problem}.`}
            help={
              path === ''
                ? 'Follows the name.'
                : [boot.external_url, parent.path, path].filter(Boolean).join('/')
            }
            required
            autoComplete="off"
            spellcheck={false}
          />
        </div>
        <TextArea label="Description" value={description} onInput={setDescription} rows={2} />
        <VisibilityField
          value={visibility}
          onInput={setVisibility}
          most={parent.visibility}
          reason={`The parent group is ${parent.visibility}`}
        />
        <div>
          <Button
            kind="primary"
            type="submit"
            isBusy={create.isBusy}
            disabled={name === '' || path === '' || problem !== undefined}
          >
            Create group
          </Button>
        </div>
      </form>
    </>
  )
}

function ParentField({ value, onChoose }: { value: Parent; onChoose: (parent: Parent) => void }) {
  const [search, setSearch] = useState('')
  const least = boot.user?.is_admin ? undefined : MAINTAINER
  const { data } = useRead<Group[]>(groupsPath({ min_access_level: least }, search), { keepsPrevious: true })
  const groups: Parent[] = (data ?? []).map((group) => ({ ...group, path: group.full_path }))
  const choices = search === '' ? [TOP, ...groups] : groups
  return (
    <Combobox
      label="Parent group"
      value={value.path}
      valueLabel={labelOf(value)}
      choices={choices.map((parent) => ({ value: parent.path || '/', label: labelOf(parent) }))}
      onSearch={setSearch}
      onChoose={(choice) => {
        const parent = choices.find((other) => (other.path || '/') === choice.value)
        if (parent) onChoose(parent)
      }}
      none="No group in which you may create subgroups has this name."
    />
  )
}

function labelOf({ path }: Parent): string {
  return path === '' ? 'None: at the top level' : path
}

/** What is wrong with the path of a new group; undefined while it is empty. */
function usePathProblem({ id }: Parent, path: string): string | undefined {
  const problem = path === '' ? undefined : problemOfPathName(path, id === undefined ? 'top' : 'inside')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(problem === undefined ? path : ''), PAUSE_MILLISECONDS)
    return () => clearTimeout(timer)
  }, [path, problem])
  const query = id === undefined ? '' : `?parent_id=${id}`
  const { data } = useRead<{ exists: boolean }>(
    asked === '' ? undefined : `/namespaces/${encodeURIComponent(asked)}/exists${query}`,
  )
  return problem ?? (asked === path && data?.exists ? 'has already been taken' : undefined)
}
