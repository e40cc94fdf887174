import type { EventRow } from '../delivery-store.js'
import type { EmojiFacts } from '../outbox/emit-emoji-event.js'
import type { FeatureFlagFacts } from '../outbox/emit-feature-flag-event.js'
import type { IssueFacts } from '../outbox/emit-issue-event.js'
import type { MergeRequestFacts } from '../outbox/emit-merge-request-event.js'
import type { MilestoneFacts } from '../outbox/emit-milestone-event.js'
import type { NoteFacts } from '../outbox/emit-note-event.js'
import type { PushFacts } from '../outbox/emit-push-events.js'
import type { ReleaseFacts } from '../outbox/emit-release-event.js'
import type { WikiPageFacts } from '../outbox/emit-wiki-page-events.js'
import type { DeploymentFacts, JobFacts, PipelineFacts } from '../outbox/pipeline-facts.js'
import { deploymentPayload } from './deployment-payload.js'
import { emojiPayload } from './emoji-payload.js'
import { featureFlagPayload } from './feature-flag-payload.js'
import { issuePayload } from './issue-payload.js'
import { jobPayload } from './job-payload.js'
import { mergeRequestPayload } from './merge-request-payload.js'
import { milestonePayload } from './milestone-payload.js'
import { notePayload } from './note-payload.js'
import type { PayloadDeps } from './payload-deps.js'
import { pipelinePayload } from './pipeline-payload.js'
import { pushPayload, repositoryUpdatePayload } from './push-payload.js'
import { releasePayload } from './release-payload.js'
import { wikiPagePayload } from './wiki-page-payload.js'

type Event = Pick<EventRow, 'project_id' | 'kind' | 'facts' | 'created_at'>

/**
 * The payload of an event; undefined if its object no longer exists. The stored facts have the types with
 * which they were written.
 */
export async function renderEvent(deps: PayloadDeps, event: Event): Promise<object | undefined> {
  const { project_id, kind, facts, created_at } = event
  switch (kind) {
    case 'push':
    case 'tag_push':
      return pushPayload(deps, project_id, facts as PushFacts)
    case 'job':
      return jobPayload(deps, project_id, facts as JobFacts, created_at)
    case 'pipeline':
      return pipelinePayload(deps, project_id, facts as PipelineFacts, created_at)
    case 'deployment':
      return deploymentPayload(deps, project_id, facts as DeploymentFacts)
    case 'release':
      return releasePayload(deps, project_id, facts as ReleaseFacts)
    case 'wiki_page':
      return wikiPagePayload(deps, project_id, facts as WikiPageFacts)
    case 'feature_flag':
      return featureFlagPayload(deps, project_id, facts as FeatureFlagFacts)
    case 'issue':
      return issuePayload(deps, project_id, facts as IssueFacts)
    case 'merge_request':
      return mergeRequestPayload(deps, project_id, facts as MergeRequestFacts)
    case 'note':
      return notePayload(deps, project_id, facts as NoteFacts)
    case 'emoji':
      return emojiPayload(deps, project_id, facts as EmojiFacts)
    case 'milestone':
      return milestonePayload(deps, project_id, facts as MilestoneFacts)
    case 'repository_update':
      return repositoryUpdatePayload(deps, project_id, facts as PushFacts)
    case 'plain':
      return facts
  }
}
