import { ArrowUpFromLine, Bell, BellOff, Pencil, Plus, Tag, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'

import type { ListedProjectLabel } from '../../../coordinator/planning/labels/schema.js'
import { boot } from '../../api/boot.js'
import { request, requestJson } from '../../api/client.js'
import { useAction } from '../../api/use-action.js'
import { refresh, useReadList } from '../../api/use-read.js'
import { LabelChip } from '../../discussion/label-chip.js'
import { LoadMore } from '../../frame/load-more.js'
import { useSearch } from '../../frame/location.js'
import { notify, notifyError } from '../../frame/notices.js'
import { ReadRows } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { Button, IconButton } from '../../kit/button.js'
import { ConfirmDialog } from '../../kit/dialog.js'
import { Empty } from '../../kit/empty.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { SearchField } from '../../kit/search-field.js'
import { Tools } from '../../kit/tools.js'
import { LabelDialog } from './label-dialog.js'
import styles from './label-list.module.css'
import { issuesAddress, ownerApi, type PlanOwner } from './plan-owner.js'
import { usePlanRights } from './plan-rights.js'
import { usePromotion } from './use-promotion.js'

/** The labels of a project with those of its groups, or of a group. */
export function LabelList({ owner }: { owner: PlanOwner }) {
  const [search, setSearch] = useSearch()
  const { mayManage, reason } = usePlanRights(owner, 'labels')
  const group = usePromotion(owner, 'labels')
  const path = `${ownerApi(owner)}/labels`
  const text = search.get('search') ?? ''
  const list = useReadList<ListedProjectLabel>(
    `${path}?with_counts=true&per_page=50${text === '' ? '' : `&search=${encodeURIComponent(text)}`}`,
    { keepsPrevious: true },
  )
  const [open, setOpen] = useState<
    { kind: 'new' } | { kind: 'edit' | 'delete' | 'promote'; label: ListedProjectLabel }
  >()
  const reload = () => void refresh(path)
  const deleting = useAction(async (id: number) => {
    await request(`${path}/${id}`, { method: 'DELETE' })
    setOpen(undefined)
    reload()
  }, notifyError)
  const promoting = useAction(async ({ id, name }: ListedProjectLabel) => {
    await request(`${path}/${id}/promote`, { method: 'PUT' })
    notify(`${name} is a label of ${group ?? 'the group'} now`)
    setOpen(undefined)
    reload()
  }, notifyError)
  const create = mayManage && (
    <Button kind="primary" icon={Plus} reason={reason} onClick={() => setOpen({ kind: 'new' })}>
      New label
    </Button>
  )
  return (
    <>
      <PageHeader title="Labels" actions={create || undefined} />
      <Tools class={styles['tools']}>
        <SearchField
          label="Search labels"
          placeholder="Name or description"
          value={text}
          onSearch={(next) => setSearch({ search: next || undefined })}
        />
      </Tools>
      <Panel isFlush>
        <ReadRows
          of={list}
          outline={6}
          empty={
            text !== '' ? (
              <Empty icon={Tag} title="No label matches." />
            ) : (
              <Empty icon={Tag} title="There is no label yet.">
                Labels sort issues and merge requests: by kind, part or priority.
              </Empty>
            )
          }
        >
          <ul class={styles['list']} aria-label="Labels">
            {list.rows.map((label) => (
              <LabelRow
                key={label.id}
                owner={owner}
                label={label}
                // Labels of groups are changed in their group.
                mayManage={mayManage && label.is_project_label}
                reason={reason}
                path={`${path}/${label.id}`}
                onEdit={() => setOpen({ kind: 'edit', label })}
                onDelete={() => setOpen({ kind: 'delete', label })}
                onPromote={group === undefined ? undefined : () => setOpen({ kind: 'promote', label })}
                onChanged={reload}
              />
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="labels" next={list.next} />
      {(open?.kind === 'new' || open?.kind === 'edit') && (
        <LabelDialog
          path={path}
          label={open.kind === 'edit' ? open.label : undefined}
          hasPriority={owner.kind === 'project'}
          onClose={() => setOpen(undefined)}
          onSaved={reload}
        />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={`Delete the label ${open.label.name}?`}
          action="Delete"
          isBusy={deleting.isBusy}
          onConfirm={() => void deleting.run(open.label.id)}
          onClose={() => setOpen(undefined)}
        >
          <p>Issues and merge requests lose it. This cannot be undone.</p>
        </ConfirmDialog>
      )}
      {open?.kind === 'promote' && (
        <ConfirmDialog
          title={`Promote the label ${open.label.name}?`}
          action="Promote"
          isBusy={promoting.isBusy}
          onConfirm={() => void promoting.run(open.label)}
          onClose={() => setOpen(undefined)}
        >
          <p>
            It becomes a label of the group {group}, for all its projects. Labels with this name in them are
            merged into it. This cannot be undone.
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface LabelRowProps {
  owner: PlanOwner
  label: ListedProjectLabel
  mayManage: boolean
  reason: string | undefined
  path: string
  onEdit: () => void
  onDelete: () => void
  /** Undefined if it cannot become a label of the group. */
  onPromote: (() => void) | undefined
  onChanged: () => void
}

function LabelRow({
  owner,
  label,
  mayManage,
  reason,
  path,
  onEdit,
  onDelete,
  onPromote,
  onChanged,
}: LabelRowProps) {
  const { name, description, priority, subscribed, is_project_label: isOfProject } = label
  const subscribing = useAction(async () => {
    await requestJson(`${path}/${subscribed ? 'unsubscribe' : 'subscribe'}`, { method: 'POST' })
    onChanged()
  }, notifyError)
  const issues = label.open_issues_count ?? 0
  const mergeRequests = label.open_merge_requests_count ?? 0
  return (
    <li class={styles['row']}>
      <div class={styles['name']}>
        <LabelChip label={label} href={issuesAddress(owner, { 'label_name[]': name })} />
        {!isOfProject && <Badge title="It belongs to a group">Group</Badge>}
        {typeof priority === 'number' && <Badge tone="accent">Priority {priority}</Badge>}
      </div>
      <div class={styles['about']}>
        {description}
        <div class={styles['counts']}>
          {issues} open {issues === 1 ? 'issue' : 'issues'} · {mergeRequests} open{' '}
          {mergeRequests === 1 ? 'merge request' : 'merge requests'}
        </div>
      </div>
      <div class={styles['actions']}>
        {boot.user && (
          <IconButton
            size="small"
            icon={subscribed ? Bell : BellOff}
            label={subscribed ? `Unsubscribe from ${name}` : `Subscribe to ${name}`}
            aria-pressed={subscribed}
            isBusy={subscribing.isBusy}
            onClick={() => void subscribing.run()}
          />
        )}
        {mayManage && (
          <>
            {onPromote && (
              <IconButton
                size="small"
                icon={ArrowUpFromLine}
                label={`Promote ${name} to the group`}
                reason={reason}
                onClick={onPromote}
              />
            )}
            <IconButton size="small" icon={Pencil} label={`Edit ${name}`} reason={reason} onClick={onEdit} />
            <IconButton
              size="small"
              icon={Trash2}
              label={`Delete ${name}`}
              reason={reason}
              onClick={onDelete}
            />
          </>
        )}
      </div>
    </li>
  )
}
