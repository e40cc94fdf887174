import { SearchX, Workflow } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'

import { addressOf, queryOf } from '../../../../addresses/address-of.js'
import type { DetailedPipelineEverywhere } from '../../../../coordinator/ci/pipelines/everywhere/schema.js'
import { boot } from '../../../api/boot.js'
import { useReadList } from '../../../api/use-read.js'
import { useTitle } from '../../../frame/document-title.js'
import { LoadMore } from '../../../frame/load-more.js'
import { useSearch } from '../../../frame/location.js'
import { Problem } from '../../../frame/problem.js'
import { Button } from '../../../kit/button.js'
import { Empty } from '../../../kit/empty.js'
import { useEntryKeys } from '../../../kit/entry-keys.js'
import { PageHeader, Panel } from '../../../kit/panel.js'
import { SearchField } from '../../../kit/search-field.js'
import { Skeleton } from '../../../kit/skeleton.js'
import { Tabs } from '../../../kit/tabs.js'
import { useLive } from '../../../live/use-live.js'
import { PipelineLines } from '../../../records/pipeline-lines.js'
import styles from './page.module.css'

const SCOPES = [
  { name: '', label: 'All' },
  { name: 'running', label: 'Running' },
  { name: 'pending', label: 'Pending' },
  { name: 'finished', label: 'Finished' },
]

/** Many changes within this time are one request. */
const GATHERED_MILLISECONDS = 1000
/** A stream follows up to 50 topics. */
const MAX_FOLLOWED = 40

/** The pipelines of all projects of a group and its subgroups. */
export function Page({ params: { group } }: { params: { group: string } }) {
  const [query, setQuery] = useSearch()
  const scope = query.get('scope') ?? ''
  // Links name a branch or tag.
  const search = query.get('search') ?? query.get('ref') ?? ''
  const list = useReadList<DetailedPipelineEverywhere>(
    boot.user
      ? `/pipelines${queryOf({
          group,
          scope: scope || undefined,
          search: search || undefined,
          with_details: true,
          pagination: 'keyset',
          per_page: 20,
        })}`
      : undefined,
    { keepsPrevious: true },
  )
  const { rows, result, next } = list
  useTitle(`Pipelines · ${group}`)
  useEntryKeys()
  useFollowed(rows, () => void result.refetch())
  return (
    <>
      <PageHeader title="Pipelines" details="Of all projects of the group and its subgroups" />
      <Tabs
        label="Scopes of pipelines"
        tabs={SCOPES.map(({ name, label }) => ({
          label,
          href: addressOf(
            'groups/pipelines',
            { group },
            { scope: name || undefined, search: search || undefined },
          ),
          isCurrent: scope === name,
        }))}
      />
      <Panel isFlush class={styles['panel']}>
        <div class={styles['filters']}>
          <SearchField
            label="Find pipelines"
            placeholder="Branch, name, user or SHA"
            value={search}
            onSearch={(text) => setQuery({ search: text.trim(), ref: undefined })}
            class={styles['search']}
          />
        </div>
        {rows.length > 0 ? (
          <PipelineLines label="Pipelines" pipelines={rows} />
        ) : result.error ? (
          <div class={styles['problem']}>
            <Problem error={result.error} retry={() => void result.refetch()} />
          </div>
        ) : boot.user && !result.isSuccess ? (
          <Skeleton />
        ) : scope || search ? (
          <Empty
            icon={SearchX}
            title="No pipeline matches the filters."
            action={
              <Button onClick={() => setQuery({ scope: undefined, search: undefined, ref: undefined })}>
                Clear filters
              </Button>
            }
          />
        ) : (
          <Empty icon={Workflow} title="No pipeline that you may see has run in this group yet.">
            {boot.user === null && 'Sign in to see the pipelines of groups.'}
          </Empty>
        )}
        <LoadMore of="pipelines" next={next} />
      </Panel>
    </>
  )
}

/** Reads the list again as the pipelines of its projects change. */
function useFollowed(rows: readonly DetailedPipelineEverywhere[], reread: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const ids = [...new Set(rows.map(({ project }) => project.id))].slice(0, MAX_FOLLOWED)
  const readSoon = ({ project_id: id }: { project_id: number }) => {
    if (!ids.includes(id)) return
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      reread()
    }, GATHERED_MILLISECONDS)
  }
  useLive(
    ids.map((id) => `project/${id}`),
    { pipeline: readSoon, 'pipeline-deleted': readSoon },
    reread,
  )
}
