import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import type { IssueOfEpic } from '../../../../coordinator/planning/epic-issues/schema.js'
import type { ListedIssue } from '../../../../coordinator/planning/issues/record-schema.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { DueDate } from '../../../discussion/due-date.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Badge } from '../../../kit/badge.js'
import { Button } from '../../../kit/button.js'
import { Panel } from '../../../kit/panel.js'
import { usePaused } from '../../../kit/use-paused.js'
import { UserLink } from '../../../records/user-link.js'
import { StateIcon } from '../epic-facts.js'
import styles from '../epic-rows.module.css'
import { issuePath } from '../issue-path.js'
import { parseIssueReference } from '../issue-reference.js'
import type { EpicPart } from './epic-part.js'
import { ItemDialog } from './item-dialog.js'
import { RowActions } from './row-actions.js'

/** The issues of an epic, in their order. */
export function EpicIssues({ group, path, manages }: EpicPart) {
  const base = `${path}/issues`
  const list = useReadList<IssueOfEpic>(`${base}?per_page=50`)
  const { rows } = list
  const [adds, setAdds] = useState(false)
  const changing = useAction(async (id: number, target?: object) => {
    if (target) await requestJson(`${base}/${id}`, { method: 'PUT', body: target })
    else await request(`${base}/${id}`, { method: 'DELETE' })
    await refresh(base)
  }, notifyError)
  const closed = rows.filter(({ state }) => state === 'closed').length
  return (
    <Panel
      isFlush
      title={
        rows.length === 0
          ? 'Issues'
          : `Issues: ${closed} of ${rows.length}${list.hasMore ? ' shown' : ''} closed`
      }
      actions={
        manages && (
          <Button size="small" icon={Plus} onClick={() => setAdds(true)}>
            Add an issue
          </Button>
        )
      }
    >
      <ReadRows of={list} outline={3} empty={<p class={styles['none']}>The epic has no issue yet.</p>}>
        <ul class={styles['rows']} aria-label="Issues of the epic">
          {rows.map((issue, index) => {
            const { epic_issue_id: id, references } = issue
            const [above, below] = [rows[index - 1], rows[index + 1]]
            return (
              <li key={id} class={styles['row']}>
                <StateIcon state={issue.state} />
                <div class={styles['main']}>
                  <a class={styles['title']} href={issue.web_url}>
                    {issue.title}
                  </a>
                  {issue.confidential && <Badge tone="warning">Confidential</Badge>}
                  <span class={styles['facts']}>
                    {references.relative}
                    {issue.due_date !== null && (
                      <DueDate day={issue.due_date} isOpen={issue.state === 'opened'} />
                    )}
                    {issue.assignees.slice(0, 3).map((user) => (
                      <UserLink key={user.id} user={user} size={24} hidesName />
                    ))}
                  </span>
                </div>
                {manages && (
                  <RowActions
                    name={references.relative}
                    isBusy={changing.isBusy}
                    onUp={above && (() => void changing.run(id, { move_after_id: above.epic_issue_id }))}
                    onDown={below && (() => void changing.run(id, { move_before_id: below.epic_issue_id }))}
                    onRemove={() => void changing.run(id)}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </ReadRows>
      <LoadMore of="issues" next={list.next} />
      {adds && <AddDialog group={group} base={base} onClose={() => setAdds(false)} />}
    </Panel>
  )
}

interface AddDialogProps {
  group: string
  /** Path of the issues of the epic in the API. */
  base: string
  onClose: () => void
}

function AddDialog({ group, base, onClose }: AddDialogProps) {
  const [text, setText] = useState('')
  const search = usePaused(text)
  const query = { search: search || undefined, state: 'opened', per_page: 20 }
  const found = useRead<ListedIssue[]>(`${groupApi(group)}/issues${queryOf(query)}`, {
    keepsPrevious: true,
  }).data
  const named = parseIssueReference(search, '')
  const one = useRead<ListedIssue>(
    named && named.project !== '' ? issuePath(named.project, named.iid) : undefined,
  ).data
  return (
    <ItemDialog
      title="Add an issue"
      action="Add issue"
      label="Issue"
      help="Words of its title, a reference such as group/app#12, or its address. It leaves the epic that it has."
      choices={(one ? [one] : (found ?? [])).map(({ id, title, references }) => ({
        value: String(id),
        label: title,
        detail: references.full,
      }))}
      none="No issue found."
      onSearch={setText}
      add={async (id) => {
        await requestJson(`${base}/${id}`, { method: 'POST' })
        await refresh(base)
      }}
      onClose={onClose}
    />
  )
}
