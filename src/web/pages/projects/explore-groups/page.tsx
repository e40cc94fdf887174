import { FolderTree, Plus, SearchX } from 'lucide'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { Group } from '../../../../coordinator/accounts/groups/schema.js'
import { boot } from '../../../api/boot.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { Problem } from '../../../frame/problem.js'
import { Button, LinkButton } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { useEntryKeys } from '../../../kit/entry-keys.js'
import { CheckBox } from '../../../kit/field.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { ExploreTabs } from '../explore-tabs.js'
import { GroupRows } from '../group-rows.js'
import styles from './page.module.css'

/** Groups that the reader may see. */
export function Page() {
  useTitle('Explore groups')
  const [query, setQuery] = useSearch()
  useEntryKeys()
  const search = query.get('name') ?? ''
  const isOwn = query.get('mine') === 'true'
  const groups = useReadList<Group>(
    `/groups${queryOf({
      search: search || undefined,
      all_available: boot.user && !isOwn ? true : undefined,
      min_access_level: isOwn ? 10 : undefined,
      order_by: 'path',
      per_page: 20,
    })}`,
    { keepsPrevious: true },
  )
  const { rows, result } = groups
  return (
    <>
      <PageHeader
        title="Explore groups"
        actions={
          boot.user && (
            <LinkButton kind="primary" icon={Plus} href={addressOf('groups/new', {})}>
              New group
            </LinkButton>
          )
        }
      />
      <ExploreTabs current="groups" />
      <Panel isFlush class={styles['panel']}>
        <div class={styles['filters']}>
          <SearchField
            label="Filter by name"
            placeholder="Filter by name"
            value={search}
            onSearch={(name) => setQuery({ name })}
            class={styles['search']}
          />
          {boot.user && (
            <CheckBox
              label="Only my groups"
              checked={isOwn}
              onInput={(mine) => setQuery({ mine: mine ? 'true' : undefined })}
            />
          )}
        </div>
        {rows.length > 0 ? (
          <GroupRows groups={rows} />
        ) : result.error ? (
          <div class={styles['problem']}>
            <Problem error={result.error} retry={() => void result.refetch()} />
          </div>
        ) : !result.isSuccess ? (
          <Skeleton />
        ) : search || isOwn ? (
          <Empty
            icon={SearchX}
            title="No group matches the filters."
            action={
              <Button onClick={() => setQuery({ name: undefined, mine: undefined })}>Clear filters</Button>
            }
          />
        ) : (
          <Empty icon={FolderTree} title="There is no group that you may see.">
            A group holds projects that share members, variables and runners.
          </Empty>
        )}
        <LoadMore of="groups" next={groups.next} />
      </Panel>
    </>
  )
}
