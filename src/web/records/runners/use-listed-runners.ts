import { useEffect, useMemo, useState } from 'preact/hooks'

import { queryOf } from '../../../addresses/address-of.js'
import type { DetailedRunner } from '../../../coordinator/ci/runners/schema.js'
import type { RunnerMessage } from '../../../coordinator/live/messages.js'
import { type ReadList, useReadList } from '../../api/use-read.js'
import { useLive } from '../../live/use-live.js'
import { type RunnerScope, runnersList, runnersTopic } from './runner-scope.js'

export interface RunnerFilters {
  search: string
  status: string
  type: string
  tags: string
}

/** The runners of a scope that match, with the changes that have arrived since they were read. */
export function useListedRunners(
  scope: RunnerScope,
  { search, status, type, tags }: RunnerFilters,
): ReadList<DetailedRunner> {
  const query = {
    per_page: 50,
    pagination: 'keyset',
    with_details: true,
    search: search || undefined,
    status: status || undefined,
    type: type || undefined,
    tag_list: tags || undefined,
  }
  const path = runnersList(scope) + queryOf(query)
  const list = useReadList<DetailedRunner>(path, { keepsPrevious: true })
  const [changes, setChanges] = useState<ReadonlyMap<number, RunnerMessage | 'deleted'>>(new Map())
  useEffect(() => setChanges(new Map()), [list.result.dataUpdatedAt])
  const add = (id: number, change: RunnerMessage | 'deleted') =>
    setChanges((before) => new Map(before).set(id, change))
  useLive(
    [runnersTopic(scope)],
    { runner: (message) => add(message.id, message), 'runner-deleted': ({ id }) => add(id, 'deleted') },
    () => void list.result.refetch(),
  )
  const rows = useMemo(
    () =>
      list.rows.flatMap((row) => {
        const change = changes.get(row.id)
        return change === 'deleted' ? [] : [{ ...row, ...change }]
      }),
    [list.rows, changes],
  )
  return { ...list, rows }
}
