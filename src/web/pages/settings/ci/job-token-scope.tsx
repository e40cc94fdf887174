import { Plus, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import { projectApi } from '../../../../addresses/first-reads.js'
import type {
  ListedGroup,
  JobTokenScope as Scope,
} from '../../../../coordinator/hosting/projects/job-token-scope/schema.js'
import type { SimpleProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { type ReadList, refresh, useRead, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read, ReadRows } from '../../../frame/problem.js'
import { Button, IconButton } from '../../../kit/button.js'
import { Combobox } from '../../../kit/combobox.js'
import { ConfirmDialog } from '../../../kit/dialog.js'
import { CheckBox } from '../../../kit/field.js'
import { FormDialog } from '../../../kit/form-dialog.js'
import { Panel } from '../../../kit/panel.js'
import { groupPathIn } from '../../../records/namespaces.js'
import styles from './page.module.css'

interface Allowed {
  id: number
  label: string
  kind: 'project' | 'group'
}

interface JobTokenScopeProps {
  project: string
  reason: string | undefined
}

/** The projects and groups whose job tokens have access to a project. */
export function JobTokenScope({ project, reason }: JobTokenScopeProps) {
  const path = `${projectApi(project)}/job_token_scope`
  const scope = useRead<Scope>(path)
  const projects = useReadList<SimpleProject>(`${path}/allowlist?per_page=50`)
  const groups = useReadList<ListedGroup>(`${path}/groups_allowlist?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  const [isOpening, setOpening] = useState(false)
  const limit = useAction(async (enabled: boolean) => {
    await requestJson(path, { method: 'PATCH', body: { enabled } })
    setOpening(false)
    await refresh(path)
  }, notifyError)
  const remove = useAction(async ({ id, label, kind }: Allowed) => {
    const list = kind === 'project' ? 'allowlist' : 'groups_allowlist'
    await requestJson(`${path}/${list}/${id}`, { method: 'DELETE' })
    notify(`Jobs of ${label} no longer have access`)
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      title="Access of jobs of other projects"
      actions={
        <Button size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
          Allow a project or group
        </Button>
      }
    >
      <Read of={scope}>
        {({ inbound_enabled: isLimited }) => (
          <div class={styles['scope']}>
            <CheckBox
              label="Only jobs of these projects and groups have access with their job tokens"
              help="Otherwise the jobs of every project have the access that the user has who started them."
              checked={isLimited}
              disabled={reason !== undefined || limit.isBusy}
              onInput={(checked) => {
                if (checked) void limit.run(true)
                else setOpening(true)
              }}
            />
            <AllowedList
              of={projects}
              kind="project"
              own={project}
              allowed={projects.rows.map(({ id, path_with_namespace: label }) => ({ id, label }))}
              onRemove={(entry) => void remove.run(entry)}
            />
            <AllowedList
              of={groups}
              kind="group"
              own={project}
              allowed={groups.rows.map(({ id, web_url: url }) => ({ id, label: groupPathIn(url) }))}
              onRemove={(entry) => void remove.run(entry)}
            />
          </div>
        )}
      </Read>
      {isOpening && (
        <ConfirmDialog
          title="Open the project to jobs of all projects?"
          action="Open to all jobs"
          isBusy={limit.isBusy}
          onConfirm={() => void limit.run(false)}
          onClose={() => setOpening(false)}
        >
          <p>The job token of every job then has the access that the user has who started the job.</p>
        </ConfirmDialog>
      )}
      {isAdding && <Allow path={path} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

interface AllowedListProps {
  of: ReadList<unknown>
  kind: Allowed['kind']
  allowed: readonly Pick<Allowed, 'id' | 'label'>[]
  /** The project itself, whose jobs always have access. */
  own: string
  onRemove: (entry: Allowed) => void
}

/** Allowed projects or groups. Entries can be removed while the project is read-only. */
function AllowedList({ of, kind, allowed, own, onRemove }: AllowedListProps) {
  return (
    <div>
      <h3 class={styles['subtitle']}>{kind === 'project' ? 'Projects' : 'Groups'}</h3>
      <ReadRows of={of} outline={2} empty={<p class={styles['quiet']}>No {kind} is allowed.</p>}>
        <ul class={styles['allowed']} aria-label={`Allowed ${kind}s`}>
          {allowed.map(({ id, label }) => (
            <li key={id}>
              <a href={`/${label}`}>{label}</a>
              {label === own ? (
                <span class={styles['quiet']}>this project</span>
              ) : (
                <IconButton
                  size="small"
                  icon={Trash2}
                  label={`Remove ${label}`}
                  onClick={() => onRemove({ id, label, kind })}
                />
              )}
            </li>
          ))}
        </ul>
        <LoadMore of={`${kind}s`} next={of.next} />
      </ReadRows>
    </div>
  )
}

const NOTHING = { value: '', label: '' }

function Allow({ path, onClose }: { path: string; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(NOTHING)
  const query = encodeURIComponent(search)
  const { data: projects } = useRead<{ id: number; path_with_namespace: string }[]>(
    `/projects?search=${query}&search_namespaces=true&simple=true&per_page=10`,
    { keepsPrevious: true },
  )
  const { data: groups } = useRead<{ id: number; full_path: string }[]>(
    `/groups?search=${query}&per_page=10`,
    { keepsPrevious: true },
  )
  const allow = useAction(async () => {
    const [kind, id] = chosen.value.split(' ')
    await requestJson(`${path}/${kind === 'project' ? 'allowlist' : 'groups_allowlist'}`, {
      method: 'POST',
      body: { [`target_${kind}_id`]: Number(id) },
    })
    notify(`Jobs of ${chosen.label} have access`)
    onClose()
    await refresh(path)
  })
  return (
    <FormDialog
      title="Allow a project or group"
      action="Allow"
      isBusy={allow.isBusy}
      error={allow.error}
      isIncomplete={chosen.value === ''}
      onSubmit={() => void allow.run()}
      onClose={onClose}
    >
      <Combobox
        label="Project or group"
        value={chosen.value}
        valueLabel={chosen.label}
        choices={[
          ...(projects ?? []).map(({ id, path_with_namespace: label }) => ({
            value: `project ${id}`,
            label,
            detail: 'project',
          })),
          ...(groups ?? []).map(({ id, full_path: label }) => ({
            value: `group ${id}`,
            label,
            detail: 'group',
          })),
        ]}
        onSearch={setSearch}
        onChoose={({ value, label }) => setChosen({ value, label })}
      />
    </FormDialog>
  )
}
