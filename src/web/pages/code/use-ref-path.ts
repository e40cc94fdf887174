import { queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'
import type { FullProject, SimpleProject } from '../../../coordinator/hosting/projects/record/schema.js'
import { MINUTE } from '../../../lib/time-units.js'
import { useRead } from '../../api/use-read.js'
import { exactly, possibleRefs, type RefPath, splitKnown, splitRefPath } from './split-ref-path.js'

interface ReadRefPath {
  data: (RefPath & { project: SimpleProject & Partial<FullProject> }) | undefined
  error: Error | null
  refetch: () => void
}

/**
 * Splits an address into a ref and a path. Both may contain slashes, so the longest branch or tag at its start counts.
 */
export function useRefPath(project: string, refPath: string): ReadRefPath {
  const record = useRead<SimpleProject & Partial<FullProject>>(projectApi(project), { staleTime: MINUTE })
  const known = record.data && splitKnown(refPath, record.data.default_branch)
  const possible = possibleRefs(refPath)
  const base = `${projectApi(project)}/repository`
  const isUnknown = record.data !== undefined && !known && possible.length > 0
  const branches = useRead<{ name: string }[]>(
    isUnknown ? `${base}/branches${queryOf({ regex: exactly(possible), per_page: 100 })}` : undefined,
    { staleTime: MINUTE },
  )
  const tags = useRead<{ name: string }[]>(
    isUnknown ? `${base}/tags${queryOf({ regex: exactly(possible), per_page: 100 })}` : undefined,
    { staleTime: MINUTE },
  )
  const refetch = () => {
    for (const read of [record, branches, tags]) if (read.error) void read.refetch()
  }
  const error = record.error ?? branches.error ?? tags.error
  if (!record.data) return { data: undefined, error, refetch }
  if (known) return { data: { ...known, project: record.data }, error: null, refetch }
  if (!isUnknown) return { data: { ref: '', path: '', project: record.data }, error: null, refetch }
  if (!branches.data || !tags.data) return { data: undefined, error, refetch }
  const names = new Set([...branches.data, ...tags.data].map(({ name }) => name))
  return {
    data: { ...splitRefPath(refPath, (name) => names.has(name)), project: record.data },
    error: null,
    refetch,
  }
}
