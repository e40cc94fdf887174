import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { Epic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead, useReadList } from '../../../api/use-read.js'
import { LoadMore } from '../../../frame/load-more.js'
import { notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { Panel } from '../../../kit/panel.js'
import { usePaused } from '../../../kit/use-paused.js'
import { allOfEpics, foundEpics } from '../epic-path.js'
import styles from '../epic-rows.module.css'
import type { EpicPart } from './epic-part.js'
import { EpicRow } from './epic-row.js'
import { ItemDialog } from './item-dialog.js'
import { RowActions } from './row-actions.js'

/** The epics into which an epic is divided, in their order. */
export function ChildEpics({ group, path, manages }: EpicPart) {
  const base = `${path}/epics`
  const list = useReadList<Epic>(`${base}?per_page=50`)
  const { rows, result } = list
  const [adds, setAdds] = useState(false)
  const changing = useAction(async (id: number, target?: object) => {
    if (target) await requestJson(`${base}/${id}`, { method: 'PUT', body: target })
    else await request(`${base}/${id}`, { method: 'DELETE' })
    await refresh(allOfEpics(group))
  }, notifyError)
  if (result.error && !result.data)
    return <Problem error={result.error} retry={() => void result.refetch()} />
  if (rows.length === 0 && !manages) return null
  return (
    <Panel
      isFlush
      title="Child epics"
      actions={
        manages && (
          <Button size="small" icon={Plus} onClick={() => setAdds(true)}>
            Add a child
          </Button>
        )
      }
    >
      {rows.length === 0 ? (
        <p class={styles['none']}>The epic has no child.</p>
      ) : (
        <ul class={styles['rows']} aria-label="Child epics">
          {rows.map((epic, index) => {
            const [above, below] = [rows[index - 1], rows[index + 1]]
            return (
              <EpicRow key={epic.id} epic={epic}>
                {manages && (
                  <RowActions
                    name={epic.references.relative}
                    isBusy={changing.isBusy}
                    onUp={above && (() => void changing.run(epic.id, { move_after_id: above.id }))}
                    onDown={below && (() => void changing.run(epic.id, { move_before_id: below.id }))}
                    onRemove={() => void changing.run(epic.id)}
                  />
                )}
              </EpicRow>
            )
          })}
        </ul>
      )}
      <LoadMore of="epics" next={list.next} />
      {adds && <AddDialog group={group} base={base} onClose={() => setAdds(false)} />}
    </Panel>
  )
}

/** The choice that creates an epic begins so; the title follows. */
const NEW = 'new '

function AddDialog({ group, base, onClose }: { group: string; base: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const { data = [] } = useRead<Epic[]>(foundEpics(group, usePaused(text)), { keepsPrevious: true })
  const title = text.trim()
  return (
    <ItemDialog
      title="Add a child epic"
      action="Add child"
      label="Epic"
      help="An epic of the group, or the title of a new one. It leaves the parent that it has."
      choices={[
        ...data.map(({ id, title: label, references }) => ({
          value: String(id),
          label,
          detail: references.short,
        })),
        ...(title === '' ? [] : [{ value: `${NEW}${title}`, label: `New epic “${title}”` }]),
      ]}
      none="There is no epic yet. Type the title of a new one."
      onSearch={setText}
      add={async (value) => {
        await (value.startsWith(NEW)
          ? requestJson(base, { method: 'POST', body: { title: value.slice(NEW.length) } })
          : requestJson(`${base}/${value}`, { method: 'POST' }))
        await refresh(allOfEpics(group))
      }}
      onClose={onClose}
    />
  )
}
