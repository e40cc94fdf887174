import { Plus } from 'lucide'
import { useState } from 'preact/hooks'

import type { Epic, RelatedEpic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { request, requestJson } from '../../../api/client.js'
import { useAction } from '../../../api/use-action.js'
import { refresh, useRead } from '../../../api/use-read.js'
import { notifyError } from '../../../frame/notices.js'
import { Problem } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { Select } from '../../../kit/field.js'
import { Panel } from '../../../kit/panel.js'
import { usePaused } from '../../../kit/use-paused.js'
import { foundEpics } from '../epic-path.js'
import styles from '../epic-rows.module.css'
import { LINK_TYPES } from '../link-types.js'
import type { EpicPart } from './epic-part.js'
import { EpicRow } from './epic-row.js'
import { ItemDialog } from './item-dialog.js'
import { RowActions } from './row-actions.js'

/** The epics that are linked to an epic. */
export function RelatedEpics({ group, path, manages }: EpicPart) {
  const base = `${path}/related_epics`
  const links = useRead<RelatedEpic[]>(`${base}?per_page=100`)
  const [adds, setAdds] = useState(false)
  const removing = useAction(async (id: number) => {
    await request(`${base}/${id}`, { method: 'DELETE' })
    await refresh(base)
  }, notifyError)
  if (links.error && !links.data) return <Problem error={links.error} retry={() => void links.refetch()} />
  const { data = [] } = links
  if (data.length === 0 && !manages) return null
  return (
    <Panel
      isFlush
      title="Related epics"
      actions={
        manages && (
          <Button size="small" icon={Plus} onClick={() => setAdds(true)}>
            Link an epic
          </Button>
        )
      }
    >
      {data.length === 0 && <p class={styles['none']}>The epic is linked to no other one.</p>}
      {LINK_TYPES.map(({ value, heading }) => {
        const rows = data.filter(({ link_type }) => link_type === value)
        return (
          rows.length > 0 && (
            <section key={value}>
              <h3 class={styles['heading']}>{heading}</h3>
              <ul class={styles['rows']}>
                {rows.map((epic) => (
                  <EpicRow key={epic.id} epic={epic}>
                    {manages && (
                      <RowActions
                        name={`the link to ${epic.references.relative}`}
                        hasNoOrder
                        isBusy={removing.isBusy}
                        onRemove={() => void removing.run(epic.related_epic_link_id)}
                      />
                    )}
                  </EpicRow>
                ))}
              </ul>
            </section>
          )
        )
      })}
      {adds && <LinkDialog group={group} base={base} onClose={() => setAdds(false)} />}
    </Panel>
  )
}

function LinkDialog({ group, base, onClose }: { group: string; base: string; onClose: () => void }) {
  const [type, setType] = useState<string>('relates_to')
  const [text, setText] = useState('')
  const { data = [] } = useRead<Epic[]>(foundEpics(group, usePaused(text)), { keepsPrevious: true })
  return (
    <ItemDialog
      title="Link an epic"
      action="Link"
      label="Epic"
      help="An epic of the group."
      choices={data.map(({ iid, title, references }) => ({
        value: String(iid),
        label: title,
        detail: references.short,
      }))}
      none="No epic found."
      onSearch={setText}
      add={async (iid) => {
        const body = { target_group_id: group, target_epic_iid: Number(iid), link_type: type }
        await requestJson(base, { method: 'POST', body })
        await refresh(base)
      }}
      onClose={onClose}
    >
      <Select
        label="This epic"
        value={type}
        onInput={setType}
        choices={LINK_TYPES.map(({ value, label }) => ({ value, label }))}
      />
    </ItemDialog>
  )
}
