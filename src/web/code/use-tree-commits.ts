import { useEffect, useState } from 'preact/hooks'

import { queryOf } from '../../addresses/address-of.js'
import { projectApi } from '../../addresses/first-reads.js'
import type { TreeCommit } from '../../coordinator/hosting/repository-contents/view-schema.js'
import { RequestError, requestLines } from '../api/client.js'
import type { Failure } from '../api/failure.js'
import { queryClient } from '../api/query-client.js'

type TreeCommits = ReadonlyMap<string, TreeCommit['commit']>

export interface ReadTreeCommits {
  /** By the name of the entry. */
  commits: TreeCommits
  /** Whether no more will come. */
  isComplete: boolean
  /** Why some commits are missing. */
  failure?: Failure
}

const NONE: ReadTreeCommits = { commits: new Map(), isComplete: false }

/**
 * The last commit of each entry of a folder, as the server finds them: a list of files never waits for the history.
 * @param ref a branch, tag or commit; undefined reads nothing yet
 */
export function useTreeCommits(project: string, ref: string | undefined, path: string): ReadTreeCommits {
  const address =
    ref === undefined
      ? undefined
      : `${projectApi(project)}/repository/tree_commits${queryOf({ ref, path: path || undefined })}`
  const [read, setRead] = useState<ReadTreeCommits & { address?: string }>(NONE)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (address === undefined) return undefined
    const abort = new AbortController()
    const commits = new Map(queryClient.getQueryData<TreeCommits>([address]))
    let frame = 0
    const show = (isComplete: boolean, failure?: Failure) => {
      frame = 0
      setRead({ commits: new Map(commits), isComplete, address, ...(failure && { failure }) })
    }
    show(false)
    readAll(address, abort.signal, ({ name, commit }) => {
      commits.set(name, commit)
      frame ||= requestAnimationFrame(() => show(false))
    }).then(
      () => {
        queryClient.setQueryData([address], new Map(commits))
        cancelAnimationFrame(frame)
        show(true)
      },
      (error: unknown) => {
        if (abort.signal.aborted) return
        if (!(error instanceof RequestError)) throw error
        cancelAnimationFrame(frame)
        show(true, { error, retry: () => setAttempt((count) => count + 1) })
      },
    )
    return () => {
      abort.abort()
      cancelAnimationFrame(frame)
    }
  }, [address, attempt])
  return read.address === address ? read : NONE
}

async function readAll(
  address: string,
  signal: AbortSignal,
  onLine: (line: TreeCommit) => void,
): Promise<void> {
  for await (const line of requestLines<TreeCommit>(address, signal)) onLine(line)
}
