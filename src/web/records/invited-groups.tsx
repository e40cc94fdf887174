import { useState } from 'preact/hooks'

import type { FullProject } from '../../coordinator/hosting/projects/record/schema.js'
import { request } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useRead } from '../api/use-read.js'
import { notify, notifyError } from '../frame/notices.js'
import { Button } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import { Time } from '../kit/time.js'
import styles from './members.module.css'
import { roleName } from './roles.js'

type InvitedGroup = FullProject['shared_with_groups'][number]

interface InvitedGroupsProps {
  /** Path of the project or group in the API. */
  base: string
  /** Path of its record, which the page has read already. */
  record: string
  mayChange: boolean
}

/** Groups whose members have access. Without any, nothing is shown. */
export function InvitedGroups({ base, record, mayChange }: InvitedGroupsProps) {
  const { data } = useRead<{ shared_with_groups?: InvitedGroup[] }>(record)
  const [removed, setRemoved] = useState<InvitedGroup>()
  const remove = useAction(async (id: number) => {
    await request(`${base}/share/${id}`, { method: 'DELETE' })
    setRemoved(undefined)
    notify('The group no longer has access')
    await refresh(base)
  }, notifyError)
  const groups = data?.shared_with_groups ?? []
  if (groups.length === 0) return null
  return (
    <Panel isFlush title="Groups with access">
      <Table<InvitedGroup>
        label="Groups with access"
        rows={groups}
        keyOf={({ group_id: id }) => id}
        columns={[
          {
            title: 'Group',
            isMain: true,
            cell: ({ group_name: name, group_full_path: path }) => (
              <>
                <a href={`/${path}`}>{name}</a>
                <span class={styles['quiet']}>{path}</span>
              </>
            ),
          },
          { title: 'Highest role', cell: ({ group_access_level: level }) => roleName(level) },
          {
            title: 'Expires',
            cell: ({ expires_at: at }) => <Time value={at} />,
          },
          {
            title: 'Actions',
            hidesTitle: true,
            cell: (group) =>
              mayChange && (
                <span class={styles['actions']}>
                  <Button size="small" kind="danger" onClick={() => setRemoved(group)}>
                    Remove
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.group_name}?`}
          action="Remove group"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(removed.group_id)}
          onClose={() => setRemoved(undefined)}
        >
          <p>Members of {removed.group_full_path} lose the access that they have by this group.</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}
