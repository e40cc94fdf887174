import { useEffect, useState } from 'preact/hooks'

import { projectApi } from '../../../addresses/first-reads.js'
import type { BranchSummary } from '../../../coordinator/hosting/branches/schema.js'
import { RequestError } from '../../api/client.js'
import { readOnce } from '../../api/use-read.js'
import { notifyError } from '../../frame/notices.js'

/** Branches in one request: their names make its address. */
const CHUNK = 25

/** How far branches are from the default branch, and their latest pipelines, by name, as they become known. */
export function useBranchSummaries(
  project: string,
  names: readonly string[],
): ReadonlyMap<string, BranchSummary> {
  const [known, setKnown] = useState<ReadonlyMap<string, BranchSummary>>(new Map())
  useEffect(() => {
    let isCurrent = true
    for (const path of summaryPaths(project, names)) {
      readOnce<BranchSummary[]>(path).then(
        (summaries) => {
          if (!isCurrent) return
          setKnown(
            (before) => new Map([...before, ...summaries.map((summary) => [summary.name, summary] as const)]),
          )
        },
        (error: unknown) => {
          if (!(error instanceof RequestError)) throw error
          if (isCurrent) notifyError(error)
        },
      )
    }
    return () => {
      isCurrent = false
    }
  }, [project, names.join('\n')])
  return known
}

/** The addresses that read the summaries of branches, a few of them each. */
export function summaryPaths(project: string, names: readonly string[]): string[] {
  const chunks = Array.from({ length: Math.ceil(names.length / CHUNK) }, (_, index) =>
    names.slice(index * CHUNK, (index + 1) * CHUNK),
  )
  const base = `${projectApi(project)}/repository/branch_summaries`
  return chunks.map(
    (chunk) => `${base}?${new URLSearchParams(chunk.map((name) => ['branches[]', name])).toString()}`,
  )
}
