import { useState } from 'preact/hooks'

import { addressOf } from '../../../../addresses/address-of.js'
import { problemOfPathName } from '../../../../addresses/path-name.js'
import { OWNER } from '../../../../coordinator/access/access-levels.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import type { BulkImport } from '../../../../coordinator/bulk-imports/schema.js'
import { boot } from '../../../api/boot.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { navigate, useSearch } from '../../../frame/location.js'
import { Alert } from '../../../kit/alert.js'
import { Button } from '../../../kit/button.js'
import { Combobox } from '../../../kit/combobox.js'
import { CheckBox, Input } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Table } from '../../../kit/table.js'
import { Time } from '../../../kit/time.js'
import { groupsPath } from '../../../records/namespaces.js'
import { ImportReport } from '../import-report.js'
import styles from './page.module.css'

/** Imports a group of another server: first a dry run, whose report is shown below the form, then the import itself. */
export function Page() {
  useTitle('Import a group')
  const [query] = useSearch()
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [source, setSource] = useState('')
  const [parent, setParent] = useState(query.get('parent') ?? '')
  const [typedSlug, setSlug] = useState('')
  const [withProjects, setProjects] = useState(true)
  const [withMembers, setMembers] = useState(true)
  const [dryRun, setDryRun] = useState<number>()
  const slug = typedSlug || (source.split('/').at(-1) ?? '')
  const problem = slug === '' ? undefined : problemOfPathName(slug, parent === '' ? 'top' : 'inside')
  const start = useAction(async (isDryRun: boolean) => {
    const made = await requestJson<BulkImport>('/bulk_imports', {
      method: 'POST',
      body: {
        configuration: { url, access_token: token },
        entities: [
          {
            source_type: 'group_entity',
            source_full_path: source,
            destination_slug: slug,
            destination_namespace: parent,
            migrate_projects: withProjects,
            migrate_memberships: withMembers,
          },
        ],
        dry_run: isDryRun,
      },
    })
    await refresh('/bulk_imports')
    if (isDryRun) setDryRun(made.id)
    else navigate(addressOf('groups/import-report', { id: String(made.id) }))
  })
  const isComplete = url !== '' && token !== '' && source !== '' && slug !== '' && problem === undefined
  return (
    <>
      <PageHeader
        title="Import a group"
        details="Copies a group of a GitLab server or another coordinator, with its subgroups and projects."
      />
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete) void start.run(true)
        }}
      >
        {start.error && <Alert tone="error" title={start.error.message} />}
        <div class={styles['pair']}>
          <Input
            label="Address of the server"
            type="url"
            value={url}
            onInput={setUrl}
            placeholder="https://gitlab.example.com"
            required
            autoFocus
            autoComplete="off"
            spellcheck={false}
          />
          <Input
            label="Personal access token"
            type="password"
            value={token}
            onInput={setToken}
            help="With the scopes read_api and read_repository. It is stored encrypted until the import ends."
            required
            autoComplete="new-password"
          />
        </div>
        <Input
          label="Group on that server"
          value={source}
          onInput={setSource}
          placeholder="company/team"
          help="The full path of the group."
          required
          autoComplete="off"
          spellcheck={false}
        />
        <div class={styles['pair']}>
          <ParentField value={parent} onChoose={setParent} />
          <Input
            label="Path of the copy"
            value={slug}
            onInput={setSlug}
            error={problem === undefined ? undefined : `This ${problem}.`}
            help={
              slug === '' ? 'Follows the group.' : [boot.external_url, parent, slug].filter(Boolean).join('/')
            }
            required
            autoComplete="off"
            spellcheck={false}
          />
        </div>
        <CheckBox label="Import its projects" checked={withProjects} onInput={setProjects} />
        <CheckBox
          label="Import members who have an account here"
          checked={withMembers}
          onInput={setMembers}
          help="They are found by their e-mail addresses."
        />
        <div class={styles['actions']}>
          <Button
            kind={dryRun === undefined ? 'primary' : undefined}
            type="submit"
            isBusy={start.isBusy}
            disabled={!isComplete}
          >
            Dry run
          </Button>
          <Button
            kind={dryRun === undefined ? undefined : 'primary'}
            isBusy={start.isBusy}
            disabled={!isComplete}
            onClick={() => void start.run(false)}
          >
            Import
          </Button>
        </div>
      </form>
      {dryRun === undefined ? <EarlierImports /> : <ImportReport id={dryRun} />}
    </>
  )
}

function ParentField({ value, onChoose }: { value: string; onChoose: (path: string) => void }) {
  const [search, setSearch] = useState('')
  const least = boot.user?.is_admin ? undefined : OWNER
  const { data } = useRead<Group[]>(groupsPath({ min_access_level: least }, search), { keepsPrevious: true })
  const paths = (data ?? []).map(({ full_path: path }) => path)
  const choices = search === '' ? ['', ...paths] : paths
  return (
    <Combobox
      label="Into the group"
      value={value || '/'}
      valueLabel={value || TOP}
      choices={choices.map((path) => ({ value: path || '/', label: path || TOP }))}
      onSearch={setSearch}
      onChoose={(choice) => onChoose(choice.value === '/' ? '' : choice.value)}
      none="You own no group with this name."
    />
  )
}

const TOP = 'None: at the top level'

function EarlierImports() {
  const { data = [] } = useRead<BulkImport[]>('/bulk_imports')
  if (data.length === 0) return null
  return (
    <Panel isFlush title="Your imports" class={styles['earlier']}>
      <Table
        label="Your imports"
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Import',
            isMain: true,
            cell: ({ id, source_url, dry_run }) => (
              <a href={addressOf('groups/import-report', { id: String(id) })}>
                {id} from {source_url}
                {dry_run && ' (dry run)'}
              </a>
            ),
          },
          { title: 'Status', isShort: true, cell: ({ status }) => status },
          { title: 'Started', isShort: true, cell: ({ created_at }) => <Time value={created_at} /> },
        ]}
      />
    </Panel>
  )
}
