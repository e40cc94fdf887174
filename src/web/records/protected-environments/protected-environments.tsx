import { Pencil, Plus, ShieldCheck, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { ProtectedEnvironment } from '../../../coordinator/ci/protected-environments/schema.js'
import { requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useReadList } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { notify, notifyError } from '../../frame/notices.js'
import { ReadRows } from '../../frame/problem.js'
import { Button, IconButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { Panel } from '../../kit/panel.js'
import { Table } from '../../kit/table.js'
import { approvalWords } from './entries.js'
import styles from './protected-environments.module.css'
import { ProtectionDialog } from './protection-dialog.js'

interface ProtectedEnvironmentsProps {
  /** Path of the project or group in the API. */
  base: string
  /** Rules of a project name environments, those of a group tiers. */
  owner: 'project' | 'group'
  reason?: string | undefined
}

/** Environments to which only some may deploy, and the approvals that deployments to them need. */
export function ProtectedEnvironments({ base, owner, reason }: ProtectedEnvironmentsProps) {
  const path = `${base}/protected_environments`
  const { rows, result, next } = useReadList<ProtectedEnvironment>(`${path}?per_page=50`)
  const [edited, setEdited] = useState<ProtectedEnvironment | 'new'>()
  const [removed, setRemoved] = useState<ProtectedEnvironment>()
  const remove = useAction(async ({ name }: ProtectedEnvironment) => {
    await requestJson(`${path}/${encodeURIComponent(name)}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify(`${name} is no longer protected`)
    await refresh(path, `${base}/environments`)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Protected environments"
      actions={
        <Button size="small" icon={Plus} reason={reason} onClick={() => setEdited('new')}>
          Protect an environment
        </Button>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={2}
        empty={
          <Empty icon={ShieldCheck} title="No environment is protected.">
            {owner === 'project'
              ? 'Only some may deploy to a protected environment, and deployments can need approvals.'
              : 'A rule for a tier, such as production, holds for the environments of all projects inside.'}
          </Empty>
        }
      >
        <Table<ProtectedEnvironment>
          label="Protected environments"
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            {
              title: owner === 'project' ? 'Environment' : 'Tier',
              isMain: true,
              cell: ({ name }) => <strong>{name}</strong>,
            },
            {
              title: 'Allowed to deploy',
              cell: ({ deploy_access_levels: entries }) =>
                entries.map(({ access_level_description: who }) => who).join(', '),
            },
            {
              title: 'Approvals',
              cell: ({ approval_rules: rules, required_approval_count: count }) =>
                approvalWords(rules, count),
            },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (rule) => (
                <span class={styles['actions']}>
                  <IconButton
                    size="small"
                    icon={Pencil}
                    label={`Change the protection of ${rule.name}`}
                    reason={reason}
                    onClick={() => setEdited(rule)}
                  />
                  <IconButton
                    size="small"
                    icon={Trash2}
                    label={`Unprotect ${rule.name}`}
                    reason={reason}
                    onClick={() => setRemoved(rule)}
                  />
                </span>
              ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="environments" next={next} />
      {edited !== undefined && (
        <ProtectionDialog
          {...{ base, owner }}
          {...(edited !== 'new' && { rule: edited })}
          taken={rows.map(({ name }) => name)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={`Unprotect ${removed.name}?`}
          action="Unprotect"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed)}
          onClose={() => setRemoved(undefined)}
        >
          <p>Everyone who may run pipelines can then deploy to it, without approvals.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
