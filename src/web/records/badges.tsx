import { BadgeCheck, Plus, Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

import type { Badge } from '../../coordinator/hosting/project-badges/schema.js'
import { requestJson } from '../api/client.js'
import { useAction } from '../api/use-action.js'
import { refresh, useReadList } from '../api/use-read.js'
import { LoadMore } from '../frame/load-more.js'
import { notifyError } from '../frame/notices.js'
import { ReadRows } from '../frame/problem.js'
import { Badge as KindBadge } from '../kit/badge.js'
import { Button, IconButton } from '../kit/button.js'
import { ConfirmDialog } from '../kit/dialog.js'
import { Empty } from '../kit/empty.js'
import { Input } from '../kit/field.js'
import { FormDialog } from '../kit/form-dialog.js'
import { Panel } from '../kit/panel.js'
import { Table } from '../kit/table.js'
import styles from './badges.module.css'

interface BadgesProps {
  /** Path in the API: `/projects/5/badges` or `/groups/7/badges`. */
  path: string
  /** Badges of groups are shown in their projects, and changed in the group alone. */
  kind: 'project' | 'group'
  reason?: string | undefined
  /** Shown beside the button that adds one. */
  note?: ComponentChildren
}

/** Badges: pictures with a link that a project shows. */
export function Badges({ path, kind, reason, note }: BadgesProps) {
  const { rows, result, next } = useReadList<Badge>(`${path}?per_page=50`)
  const [isAdding, setAdding] = useState(false)
  const [deleted, setDeleted] = useState<Badge>()
  const remove = useAction(async (id: number) => {
    await requestJson(`${path}/${id}`, { method: 'DELETE' })
    setDeleted(undefined)
    await refresh(path)
  }, notifyError)
  return (
    <Panel
      isFlush
      title="Badges"
      actions={
        <>
          {note}
          <Button size="small" icon={Plus} reason={reason} onClick={() => setAdding(true)}>
            Add badge
          </Button>
        </>
      }
    >
      <ReadRows
        of={{ rows, result }}
        outline={3}
        empty={
          <Empty icon={BadgeCheck} title="There is no badge.">
            A badge is a picture with a link, such as the status of the default branch.
          </Empty>
        }
      >
        <Table<Badge>
          label="Badges"
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Name', isMain: true, cell: ({ name }) => name ?? 'without a name' },
            {
              title: 'Picture',
              cell: ({ image_url: url }) => <code class={styles['address']}>{url}</code>,
            },
            {
              title: 'Link',
              isDetail: true,
              cell: ({ link_url: url }) => <code class={styles['address']}>{url}</code>,
            },
            {
              title: 'Actions',
              hidesTitle: true,
              cell: (badge) =>
                badge.kind === kind ? (
                  <IconButton
                    icon={Trash2}
                    size="small"
                    label={`Delete ${nameOf(badge)}`}
                    reason={reason}
                    onClick={() => setDeleted(badge)}
                  />
                ) : (
                  <a href={`/groups/${badge.group_full_path ?? ''}`}>
                    <KindBadge>from {badge.group_full_path}</KindBadge>
                  </a>
                ),
            },
          ]}
        />
      </ReadRows>
      <LoadMore of="badges" next={next} />
      {deleted && (
        <ConfirmDialog
          title={`Delete ${nameOf(deleted)}?`}
          action="Delete badge"
          isBusy={remove.isBusy}
          onConfirm={() => void remove.run(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          <p>
            {kind === 'group'
              ? 'The projects of the group no longer show it.'
              : 'The project no longer shows it.'}
          </p>
        </ConfirmDialog>
      )}
      {isAdding && <NewBadge path={path} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function nameOf({ id, name }: Badge): string {
  return name ?? `badge ${id}`
}

function NewBadge({ path, onClose }: { path: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const [link, setLink] = useState('')
  const [image, setImage] = useState('')
  const add = useAction(async () => {
    await requestJson(path, { method: 'POST', body: { name, link_url: link, image_url: image } })
    await refresh(path)
    onClose()
  })
  return (
    <FormDialog
      title="New badge"
      action="Add badge"
      isBusy={add.isBusy}
      error={add.error}
      onSubmit={() => void add.run()}
      onClose={onClose}
    >
      <Input label="Name" value={name} onInput={setName} autoComplete="off" />
      <Input
        label="Address of the picture"
        value={image}
        onInput={setImage}
        required
        autoComplete="off"
        placeholder="https://example.com/%{project_path}/badge.svg"
        help="%{project_path}, %{project_id}, %{default_branch} and %{commit_sha} are replaced."
      />
      <Input
        label="Address of the link"
        value={link}
        onInput={setLink}
        required
        autoComplete="off"
        placeholder="https://example.com/%{project_path}"
      />
    </FormDialog>
  )
}
