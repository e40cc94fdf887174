import { ArrowDownToLine, RefreshCw } from 'lucide'

import { projectApi } from '../../../../addresses/first-reads.js'
import type { FullProject } from '../../../../coordinator/hosting/projects/record/schema.js'
import type { PullMirror as Mirror } from '../../../../coordinator/hosting/pull-mirrors/schema.js'
import { requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { Read } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { Icon } from '../../../kit/icon.js'
import { Panel } from '../../../kit/panel.js'
import type { SettingField } from '../../../records/settings-fields.js'
import { SettingsForm } from '../../../records/settings-form.js'
import { UpdateState } from './mirror-state.js'
import styles from './page.module.css'

const SOURCE_FIELDS: readonly SettingField[] = [
  {
    name: 'url',
    label: 'Address of the source',
    kind: 'text',
    isRequired: true,
    placeholder: 'https://example.com/group/project.git',
    help: 'The project takes over its branches and tags.',
  },
  { name: 'auth_user', label: 'User name', kind: 'text' },
  { name: 'auth_password', label: 'Password or token', kind: 'password' },
]

const CHANGE_FIELDS: readonly SettingField[] = [
  { name: 'enabled', label: 'Update the project', kind: 'check' },
  { name: 'mirror_trigger_builds', label: 'Updates start pipelines', kind: 'check' },
  { name: 'only_mirror_protected_branches', label: 'Only protected branches', kind: 'check' },
  {
    name: 'mirror_overwrites_diverged_branches',
    label: 'Overwrite branches that have commits of their own',
    kind: 'check',
  },
]

interface PullMirrorProps {
  project: FullProject
  reason: string | undefined
}

/** The repository that a project takes over, and its last update. */
export function PullMirror({ project, reason }: PullMirrorProps) {
  const api = projectApi(project.path_with_namespace)
  const path = `${api}/mirror/pull`
  if (!project.mirror) {
    return (
      <SettingsForm
        title="Pull mirror"
        path={path}
        fields={SOURCE_FIELDS}
        values={{}}
        reason={reason}
        onSaved={() => refresh(api)}
      />
    )
  }
  return <ExistingMirror path={path} reason={reason} />
}

function ExistingMirror({ path, reason }: { path: string; reason: string | undefined }) {
  const mirror = useRead<Mirror>(path)
  const update = useAction(async () => {
    await requestJson(path, { method: 'POST' })
    notify('The update was started')
    await refresh(path)
  }, notifyError)
  return (
    <Read of={mirror} loading={<Panel title="Pull mirror">…</Panel>}>
      {(found) => (
        <SettingsForm
          title="Pull mirror"
          path={path}
          fields={CHANGE_FIELDS}
          values={{ ...found }}
          reason={reason}
          onSaved={() => refresh(path)}
          actions={
            <Button
              size="small"
              icon={RefreshCw}
              reason={reason}
              isBusy={update.isBusy}
              onClick={() => void update.run()}
            >
              Update now
            </Button>
          }
        >
          <p class={styles['source']}>
            <Icon icon={ArrowDownToLine} />
            <span class={styles['name']}>{found.url}</span>
          </p>
          <UpdateState mirror={found} />
        </SettingsForm>
      )}
    </Read>
  )
}
