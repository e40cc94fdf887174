import { Goal, Plus } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import { groupApi } from '../../../../addresses/first-reads.js'
import type { Epic } from '../../../../coordinator/planning/epics/epic-schema.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { useGroupAbilities } from '../../../frame/use-abilities.js'
import { LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Tabs } from '../../../kit/tabs.js'
import { Time } from '../../../kit/time.js'
import { Tools } from '../../../kit/tools.js'
import { EpicDatesLine, StateIcon } from '../epic-facts.js'
import styles from '../epic-rows.module.css'

const STATES = [
  ['opened', 'Open'],
  ['closed', 'Closed'],
  ['all', 'All'],
] as const

/** The epics of a group. */
export function Page({ params: { group } }: { params: { group: string } }) {
  useTitle(`Epics · ${group}`)
  const { may } = useGroupAbilities(group)
  const [search, setSearch] = useSearch()
  const text = search.get('search') ?? ''
  const state = STATES.find(([value]) => value === search.get('state'))?.[0] ?? 'opened'
  const list = useReadList<Epic>(
    `${groupApi(group)}/epics${queryOf({ state, search: text || undefined, per_page: 50 })}`,
    { keepsPrevious: true },
  )
  const create = may('manage_epics') && (
    <LinkButton kind="primary" icon={Plus} href={addressOf('issues/new-epic', { group })}>
      New epic
    </LinkButton>
  )
  return (
    <>
      <PageHeader title="Epics" actions={create || undefined} />
      <Tabs
        label="Epics"
        tabs={STATES.map(([value, label]) => ({
          label,
          href: addressOf(
            'issues/epics',
            { group },
            { state: value === 'opened' ? undefined : value, search: text || undefined },
          ),
          isCurrent: value === state,
        }))}
      />
      <Tools class={styles['tools']}>
        <SearchField
          label="Search epics"
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
            text !== '' || state !== 'opened' ? (
              <Empty icon={Goal} title="No epic matches." />
            ) : (
              <Empty icon={Goal} title="There is no open epic." action={create || undefined}>
                An epic is a goal of the group. It collects issues of several projects.
              </Empty>
            )
          }
        >
          <ul class={styles['rows']} aria-label="Epics">
            {list.rows.map((epic) => (
              <li key={epic.id} class={styles['row']}>
                <StateIcon state={epic.state} />
                <div class={styles['main']}>
                  <a class={styles['title']} href={epic.web_url}>
                    {epic.title}
                  </a>
                  <span class={styles['facts']}>
                    <span>
                      {epic.references.short} · opened <Time value={epic.created_at} /> by{' '}
                      {epic.author?.name ?? 'a deleted account'}
                    </span>
                    <EpicDatesLine epic={epic} />
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="epics" next={list.next} />
    </>
  )
}
