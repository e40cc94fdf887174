import type { RangeCommit } from './trailed-commits.js'

/** A merged merge request, as far as its commits are concerned. */
export interface MergedRequest {
  iid: number
  headSha: string | null
  /** Where the target branch was; its history is not part of the merge request. */
  startSha: string | null
  mergeCommitSha: string | null
  squashCommitSha: string | null
}

/**
 * Which merge request has brought each commit of a range, by the ID of the commit: the oldest one that contains it. The
 * merge requests are in the order in which they were merged. Every commit is visited once, however many there are.
 */
export function originsOf(
  commits: readonly RangeCommit[],
  requests: readonly MergedRequest[],
): Map<string, MergedRequest> {
  const parents = new Map(commits.map((commit) => [commit.id, commit.parents]))
  const mainline = firstParents(commits, parents)
  const origins = new Map<string, MergedRequest>()
  for (const request of requests) {
    for (const sha of [request.mergeCommitSha, request.squashCommitSha]) {
      if (sha !== null && parents.has(sha) && !origins.has(sha)) origins.set(sha, request)
    }
    collect(request)
  }
  return origins

  function collect(request: MergedRequest): void {
    const { headSha, startSha } = request
    // After a fast-forward, the commits themselves are on the branch. Otherwise the branch is what was there before.
    const stops = headSha !== null && mainline.has(headSha) ? undefined : mainline
    const next = headSha === null ? [] : [headSha]
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const above = parents.get(id)
      if (!above || id === startSha || stops?.has(id)) continue
      const known = origins.get(id)
      if (known && (known !== request || id !== headSha)) continue
      origins.set(id, request)
      next.push(...above)
    }
  }
}

/** The chain of first parents from the newest commit: the history of the branch itself. */
function firstParents(
  commits: readonly RangeCommit[],
  parents: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const chain = new Set<string>()
  for (let id = commits[0]?.id; id !== undefined && parents.has(id); id = parents.get(id)?.[0]) chain.add(id)
  return chain
}
