import { Milestone, Plus } from 'lucide'
import { useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import { refresh, useReadList } from '../../api/use-read.js'
import { LoadMore } from '../../frame/load-more.js'
import { navigate, useSearch } from '../../frame/location.js'
import { ReadRows } from '../../frame/problem.js'
import { Badge } from '../../kit/badge.js'
import { Button } from '../../kit/button.js'
import { Empty } from '../../kit/empty.js'
import { PageHeader, Panel } from '../../kit/panel.js'
import { SearchField } from '../../kit/search-field.js'
import { Tabs } from '../../kit/tabs.js'
import { Tools } from '../../kit/tools.js'
import { MilestoneDialog } from './milestone-dialog.js'
import { MilestoneFacts, type MilestoneRecord } from './milestone-facts.js'
import styles from './milestone-list.module.css'
import { MilestoneProgress } from './milestone-progress.js'
import { milestonesAddress, ownerApi, type PlanOwner } from './plan-owner.js'
import { usePlanRights } from './plan-rights.js'

const STATES = [
  ['active', 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const

/** The milestones of a project with those of its groups, or of a group. */
export function MilestoneList({ owner }: { owner: PlanOwner }) {
  const [search, setSearch] = useSearch()
  const { mayManage, reason } = usePlanRights(owner, 'milestones')
  const path = `${ownerApi(owner)}/milestones`
  const text = search.get('search') ?? ''
  const state = STATES.find(([value]) => value === search.get('state'))?.[0] ?? 'active'
  const list = useReadList<MilestoneRecord>(
    path + queryOf({ state, include_ancestors: true, search: text || undefined, per_page: 20 }),
    { keepsPrevious: true },
  )
  const [creates, setCreates] = useState(false)
  return (
    <>
      <PageHeader
        title="Milestones"
        actions={
          mayManage && (
            <Button kind="primary" icon={Plus} reason={reason} onClick={() => setCreates(true)}>
              New milestone
            </Button>
          )
        }
      />
      <Tabs
        label="Milestones"
        tabs={STATES.map(([value, label]) => ({
          label,
          href: milestonesAddress(owner, {
            state: value === 'active' ? undefined : value,
            search: text || undefined,
          }),
          isCurrent: value === state,
        }))}
      />
      <Tools class={styles['tools']}>
        <SearchField
          label="Search milestones"
          placeholder="Title or description"
          value={text}
          onSearch={(next) => setSearch({ search: next || undefined })}
        />
      </Tools>
      <Panel isFlush>
        <ReadRows
          of={list}
          outline={6}
          empty={
            text !== '' || state !== 'active' ? (
              <Empty icon={Milestone} title="No milestone matches." />
            ) : (
              <Empty icon={Milestone} title="There is no open milestone.">
                A milestone collects issues and merge requests that are to be done by a day.
              </Empty>
            )
          }
        >
          <ul class={styles['list']} aria-label="Milestones">
            {list.rows.map((milestone) => (
              <li key={milestone.id} class={styles['row']}>
                <div class={styles['main']}>
                  <a class={styles['title']} href={milestone.web_url}>
                    {milestone.title}
                  </a>
                  {owner.kind === 'project' && milestone.group_id !== undefined && <Badge>Group</Badge>}
                  <div class={styles['facts']}>
                    <MilestoneFacts milestone={milestone} />
                  </div>
                </div>
                <div class={styles['progress']}>
                  <MilestoneProgress owner={owner} title={milestone.title} />
                </div>
              </li>
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="milestones" next={list.next} />
      {creates && (
        <MilestoneDialog
          path={path}
          milestone={undefined}
          onClose={() => setCreates(false)}
          onSaved={({ web_url }) => {
            void refresh(path)
            navigate(web_url)
          }}
        />
      )}
    </>
  )
}
