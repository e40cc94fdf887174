import { useState } from 'preact/hooks'

import { queryOf } from '../../../../addresses/address-of.js'
import { projectApi } from '../../../../addresses/first-reads.js'
import type { Comparison } from '../../../../coordinator/hosting/repository-contents/schema.js'
import type { DiffVersion } from '../../../../coordinator/planning/merge-requests/diffs/schema.js'
import { useRead, useRefetchOn } from '../../../api/use-read.js'
import type { DiffEntry } from '../../../code/diff-files.js'
import { useSearch } from '../../../frame/location.js'
import { Read } from '../../../frame/problem.js'
import { Empty } from '../../../kit/empty.js'
import { MergeRequestLayout } from '../merge-request-layout.js'
import { mergeRequestPath } from '../merge-request-path.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import { NewCommits } from './new-commits.js'
import { ReviewedDiff } from './reviewed-diff.js'
import { useAllDiffs } from './use-all-diffs.js'
import { VersionChoice } from './version-choice.js'

/** The changes of a merge request: of a version, or from one version to another. */
export function Page({ params }: { params: { project: string; iid: string } }) {
  return (
    <MergeRequestLayout params={params} tab="changes">
      {(shown) => <Changes {...shown} />}
    </MergeRequestLayout>
  )
}

function Changes(shown: ShownMergeRequest) {
  const { project, request } = shown
  const versions = useRead<DiffVersion[]>(`${mergeRequestPath(project, request.iid)}/versions?per_page=100`)
  // Each push makes another version.
  useRefetchOn(request.sha, versions)
  return (
    <Read of={versions}>
      {(list) =>
        list.length === 0 ? (
          <Empty title="The changes are not known yet." />
        ) : (
          <ChosenChanges {...shown} versions={list} />
        )
      }
    </Read>
  )
}

function ChosenChanges({ versions, ...shown }: ShownMergeRequest & { versions: DiffVersion[] }) {
  const [search, setSearch] = useSearch()
  // What is read stays in its place when another version arrives, until the reader wants that.
  const [first] = useState(versions[0]?.id)
  const [latest, setLatest] = useState(first)
  const asked = versions.find(({ id }) => String(id) === search.get('version'))
  const chosen = asked ?? versions.find(({ id }) => id === latest) ?? versions[0]
  const from = versions.find(({ id }) => String(id) === search.get('from'))
  if (!chosen) return null
  const props = { ...shown, version: chosen }
  return (
    <>
      {!asked && versions[0] && versions[0] !== chosen && (
        <NewCommits
          project={shown.project}
          from={chosen.head_commit_sha}
          to={versions[0].head_commit_sha}
          onShow={() => setLatest(versions[0]?.id)}
        />
      )}
      <VersionChoice versions={versions} chosen={chosen} from={from} onChoose={setSearch} />
      {from ? (
        <BetweenVersions key={`${from.id}-${chosen.id}`} {...props} from={from} />
      ) : chosen.id === first ? (
        <LatestVersion key={chosen.id} {...props} />
      ) : (
        <OtherVersion key={chosen.id} {...props} />
      )}
    </>
  )
}

type VersionProps = ShownMergeRequest & { version: DiffVersion }

/** Read in pages, so that the first files are there at once. */
function LatestVersion({ version, ...shown }: VersionProps) {
  const { project, request } = shown
  const { entries, others, result } = useAllDiffs(`${mergeRequestPath(project, request.iid)}/diffs`)
  return (
    <Read of={{ data: entries, error: result.error, refetch: result.refetch }}>
      {(read) => <ReviewedDiff {...shown} refs={refsOf(version)} entries={read} others={others} />}
    </Read>
  )
}

function OtherVersion({ version, ...shown }: VersionProps) {
  const { project, request } = shown
  const path = `${mergeRequestPath(project, request.iid)}/versions/${version.id}`
  const single = useRead<{ diffs: DiffEntry[] }>(path, { staleTime: Infinity })
  return (
    <Read of={single}>
      {({ diffs }) => <ReviewedDiff {...shown} refs={refsOf(version)} entries={diffs} />}
    </Read>
  )
}

/** Takes no threads: its lines are in no version. */
function BetweenVersions({ version, from, ...shown }: VersionProps & { from: DiffVersion }) {
  const query = queryOf({ from: from.head_commit_sha, to: version.head_commit_sha, straight: true })
  const path = `${projectApi(shown.project)}/repository/compare${query}`
  const comparison = useRead<Comparison>(path, { staleTime: Infinity })
  return (
    <Read of={comparison}>
      {({ diffs }) => (
        <ReviewedDiff
          {...shown}
          base={from.head_commit_sha}
          head={version.head_commit_sha}
          refs={undefined}
          entries={diffs}
        />
      )}
    </Read>
  )
}

function refsOf({ base_commit_sha, start_commit_sha, head_commit_sha }: DiffVersion) {
  return { base_sha: base_commit_sha, start_sha: start_commit_sha, head_sha: head_commit_sha }
}
