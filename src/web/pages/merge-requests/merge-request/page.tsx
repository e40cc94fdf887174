import { Threads } from '../../../discussion/threads.js'
import { Description } from '../../../planned/description.js'
import { RecordColumns } from '../../../planned/record-columns.js'
import { discussedRequest } from '../discussed-request.js'
import { useMayChange } from '../may-change.js'
import { MergeBox } from '../merge-box.js'
import { MergeRequestLayout } from '../merge-request-layout.js'
import { mergeRequestPath } from '../merge-request-path.js'
import { People } from '../people.js'
import type { ShownMergeRequest } from '../shown-merge-request.js'
import { ThreadHeading } from '../thread-heading.js'
import { useSuggestions } from '../use-suggestions.js'

/** A merge request: its description, what keeps it from being merged, and its discussion. */
export function Page({ params }: { params: { project: string; iid: string } }) {
  return (
    <MergeRequestLayout params={params} tab="overview">
      {(shown) => <Overview key={shown.request.id} {...shown} />}
    </MergeRequestLayout>
  )
}

function Overview(shown: ShownMergeRequest) {
  const { project, request, reload } = shown
  const { mayChange, reason } = useMayChange(project, request)
  const suggestions = useSuggestions(reload)
  return (
    <RecordColumns side={<People {...shown} />}>
      <Description
        project={project}
        kind="merge_requests"
        record={request}
        path={mergeRequestPath(project, request.iid)}
        mayEdit={mayChange}
        reason={reason}
        onChanged={reload}
      />
      <MergeBox {...shown} />
      <Threads
        of={discussedRequest(project, request)}
        onChanged={reload}
        heading={(discussion) => <ThreadHeading {...shown} discussion={discussion} />}
        below={suggestions.below}
      />
      {suggestions.bar}
    </RecordColumns>
  )
}
