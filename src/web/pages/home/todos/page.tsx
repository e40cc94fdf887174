import { CheckCheck, ListTodo } from 'lucide'
import { useEffect, useState } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { Todo } from '../../../../coordinator/planning/todos/schema.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { notify, notifyError } from '../../../frame/notices.js'
import { ReadRows } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { formatCount } from '../../../kit/bytes.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { Tabs } from '../../../kit/tabs.js'
import { useLive } from '../../../live/use-live.js'
import { useCurrentRow } from '../../../planned/use-current-row.js'
import { Filters, FILTERS } from './filters.js'
import styles from './page.module.css'
import { TodoRow } from './todo-row.js'

/** To-dos of the user. Those that are marked as done here stay in the list, so that this can be undone. */
export function Page() {
  useTitle('To-dos')
  const [search, setSearch] = useSearch()
  const state = search.get('state') === 'done' ? 'done' : 'pending'
  const filter = Object.fromEntries(FILTERS.map((name) => [name, search.get(name) ?? undefined]))
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const list = useReadList<Todo>(`/todos${queryOf({ ...filter, state, per_page: 50 })}`, {
    keepsPrevious: true,
  })
  const { result, next, total } = list
  const [changed, setChanged] = useState<readonly Todo[]>([])
  const text = search.toString()
  useEffect(() => setChanged([]), [text])
  const rows = withChanged(list.rows, changed)
  const reread = () => void result.refetch()
  useLive(['me'], { todos: reread }, reread)

  const keep = (todos: readonly Todo[]) => setChanged((kept) => withChanged(kept, todos))
  const [busyId, setBusyId] = useState<number>()
  const toggle = useAction(async ({ id, state: before }: Todo) => {
    setBusyId(id)
    const action = before === 'done' ? 'mark_as_pending' : 'mark_as_done'
    keep([await requestJson<Todo>(`/todos/${id}/${action}`, { method: 'POST' })])
  }, notifyError)
  const finishAll = useAction(async () => {
    await request('/todos/mark_as_done', { method: 'POST', body: filter })
    keep(rows.map((todo) => ({ ...todo, state: 'done' })))
    notify(isFiltered ? 'These to-dos are done' : 'All to-dos are done')
    reread()
  }, notifyError)
  const current = useCurrentRow(rows, (todo) => todo.target_url, { d: (todo) => void toggle.run(todo) })
  const hasPending = rows.some((todo) => todo.state === 'pending')
  return (
    <>
      <PageHeader
        title="To-dos"
        actions={
          state === 'pending' &&
          hasPending && (
            <Button icon={CheckCheck} isBusy={finishAll.isBusy} onClick={() => void finishAll.run()}>
              {isFiltered ? 'Mark these as done' : 'Mark all as done'}
            </Button>
          )
        }
      />
      <Tabs
        label="To-dos"
        tabs={(
          [
            ['pending', 'Pending'],
            ['done', 'Done'],
          ] as const
        ).map(([value, label]) => ({
          label,
          href: addressOf('home/todos', {}, { ...filter, state: value === 'done' ? value : undefined }),
          isCurrent: state === value,
          count: state === value && total !== undefined ? formatCount(total, false) : undefined,
        }))}
      />
      <Filters />
      <Panel isFlush>
        <ReadRows
          of={{ rows, result }}
          outline={6}
          empty={
            isFiltered ? (
              <Empty
                icon={ListTodo}
                title="No to-do matches."
                action={
                  <Button
                    onClick={() => setSearch(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
                  >
                    Show all to-dos
                  </Button>
                }
              />
            ) : state === 'done' ? (
              <Empty icon={ListTodo} title="No to-do is done yet." />
            ) : (
              <Empty icon={ListTodo} title="There is nothing to do.">
                Issues and merge requests appear here when somebody assigns them to you, asks you for a review
                or mentions you.
              </Empty>
            )
          }
        >
          <ul class={styles['rows']} aria-label="To-dos">
            {rows.map((todo, index) => (
              <TodoRow
                key={todo.id}
                todo={todo}
                isCurrent={index === current}
                isBusy={toggle.isBusy && busyId === todo.id}
                onToggle={() => void toggle.run(todo)}
              />
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="to-dos" next={next} />
    </>
  )
}

/** The rows with those that were changed here in their places, the newest first. */
function withChanged(rows: readonly Todo[], changed: readonly Todo[]): Todo[] {
  const byId = new Map([...rows, ...changed].map((todo) => [todo.id, todo]))
  return [...byId.values()].toSorted((a, b) => b.id - a.id)
}
