import { Tag } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { Topic } from '../../../../coordinator/hosting/topics/schema.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { ReadRows } from '../../../frame/problem.js'
import { formatCount } from '../../../kit/bytes.js'
import { Empty } from '../../../kit/empty.js'
import { useEntryKeys } from '../../../kit/entry-keys.js'
import list from '../../../kit/list-rows.module.css'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { ExploreTabs } from '../explore-tabs.js'
import styles from '../projects.module.css'

/** The topics of the projects that the reader may see. */
export function Page() {
  useTitle('Explore topics')
  const [query, setQuery] = useSearch()
  const search = query.get('search') ?? ''
  useEntryKeys()
  const topics = useReadList<Topic>(`/topics${queryOf({ search: search || undefined, per_page: 50 })}`, {
    keepsPrevious: true,
  })
  return (
    <>
      <PageHeader title="Explore topics" />
      <ExploreTabs current="topics" />
      <SearchField
        label="Find topics"
        placeholder="Find topics"
        value={search}
        onSearch={(text) => setQuery({ search: text || undefined })}
        class={styles['panel']}
      />
      <Panel isFlush class={styles['panel']}>
        <ReadRows
          of={topics}
          outline={6}
          empty={
            <Empty icon={Tag} title={search === '' ? 'No project has a topic yet.' : 'No topic matches.'} />
          }
        >
          <ul class={list['rows']} aria-label="Topics">
            {topics.rows.map(({ id, name, title, total_projects_count: count }) => (
              <li key={id} class={list['row']}>
                <a class={list['name']} data-entry="" href={addressOf('projects/topic', { name })}>
                  {title}
                </a>
                <p class={list['description']}>
                  {formatCount(count)} {count === 1 ? 'project' : 'projects'}
                </p>
              </li>
            ))}
          </ul>
        </ReadRows>
      </Panel>
      <LoadMore of="topics" next={topics.next} />
    </>
  )
}
