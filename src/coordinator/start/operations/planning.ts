import { ProjectRecords } from '../../hosting/projects/record/records.js'
import type { Operation } from '../../http/operation.js'
import { attentionOperations } from '../../planning/attention/operations.js'
import { awardEmojiOperations } from '../../planning/award-emoji/operations.js'
import { boardOperations } from '../../planning/boards/operations.js'
import { chatCommandOperations } from '../../planning/chat-commands/operations.js'
import { discussionOperations } from '../../planning/discussions/operations.js'
import { draftNoteOperations } from '../../planning/draft-notes/operations.js'
import { epicIssueOperations } from '../../planning/epic-issues/operations.js'
import { epicOperations } from '../../planning/epics/operations.js'
import { issueOperations } from '../../planning/issues/operations.js'
import { labelOperations } from '../../planning/labels/operations.js'
import { markdownOperations, textRenderer } from '../../planning/markdown/operations.js'
import { approvalOperations } from '../../planning/merge-requests/approvals/operations.js'
import { coverageOperations } from '../../planning/merge-requests/changed-coverage/operations.js'
import { conflictOperations } from '../../planning/merge-requests/conflicts/operations.js'
import { contextCommitOperations } from '../../planning/merge-requests/context-commits/operations.js'
import { mergeRequestDiffOperations } from '../../planning/merge-requests/diffs/operations.js'
import { mergeOperations } from '../../planning/merge-requests/merge/operations.js'
import { mergeRequestOperations } from '../../planning/merge-requests/operations.js'
import { mergeRequestPipelineOperations } from '../../planning/merge-requests/pipelines/operations.js'
import { statusCheckOperations } from '../../planning/merge-requests/status-checks/operations.js'
import { mergeTrainOperations } from '../../planning/merge-requests/trains/operations.js'
import { viewedFileOperations } from '../../planning/merge-requests/viewed-files/operations.js'
import { milestoneOperations } from '../../planning/milestones/operations.js'
import { noteOperations } from '../../planning/notes/operations.js'
import { commandRunner } from '../../planning/quick-actions/run-commands.js'
import { relatedOperations } from '../../planning/related/operations.js'
import { resourceEventOperations } from '../../planning/resource-events/operations.js'
import { searchOperations } from '../../planning/search/operations.js'
import { suggestionOperations } from '../../planning/suggestions/operations.js'
import { todoOperations } from '../../planning/todos/operations.js'
import { userCountOperations } from '../../planning/user-counts/operations.js'
import { linkDeps } from '../link-deps.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import type { Services } from '../services/services.js'

/** Epics, issues, boards, emoji, merge requests, labels, milestones and to-do items. */
export function listPlanningOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, secrets, egress, repositories, engine, artifacts, chatReplies } = services
  const { wikiRepositories, groupWikiRepositories } = services
  const { externalUrl, findProject, projectAccessOf, pushes, guardOf } = deps
  const commands = commandRunner({
    database,
    repositories,
    pushes,
    externalUrl,
    findProject,
    projectAccessOf,
  })
  const links = linkDeps(services, deps)
  return [
    ...epicOperations({ database, externalUrl }),
    ...issueOperations({ database, externalUrl, commands, rendererFor: textRenderer(links) }),
    ...epicIssueOperations({ database, externalUrl }),
    ...boardOperations({ database, externalUrl }),
    ...awardEmojiOperations({ database, externalUrl }),
    ...mergeRequestOperations({
      database,
      externalUrl,
      repositories,
      findProject,
      projectAccessOf,
      commands,
      rendererFor: textRenderer(links),
    }),
    ...mergeRequestDiffOperations({ database, externalUrl, repositories, projectAccessOf }),
    ...contextCommitOperations({ database, externalUrl, repositories }),
    ...viewedFileOperations({ database }),
    ...coverageOperations({ database, repositories, artifacts, projectAccessOf }),
    ...approvalOperations({ database, externalUrl, repositories }),
    ...mergeOperations({ database, pushes, externalUrl, findProject, projectAccessOf }),
    ...conflictOperations({ pushes, externalUrl, findProject, projectAccessOf }),
    ...mergeRequestPipelineOperations({ database, engine, externalUrl, projectAccessOf }),
    ...statusCheckOperations({ database, secrets, egress, externalUrl }),
    ...mergeTrainOperations({ database, pushes, externalUrl }),
    ...relatedOperations({ database, externalUrl }),
    ...resourceEventOperations({ database, externalUrl }),
    ...noteOperations({ database, externalUrl, repositories, commands }),
    ...discussionOperations({ database, externalUrl, repositories, rendererFor: textRenderer(links) }),
    ...draftNoteOperations({ database, repositories, commands }),
    ...labelOperations(database),
    ...milestoneOperations({ database, externalUrl }),
    ...searchOperations({
      database,
      externalUrl,
      repositories,
      wikiRepositories,
      groupWikiRepositories,
      records: new ProjectRecords({ database, secrets, externalUrl }),
    }),
    ...markdownOperations(links),
    ...chatCommandOperations({
      database,
      secrets,
      engine,
      externalUrl,
      chatReplies,
      findProject,
      projectAccessOf,
      guardOf,
    }),
    ...suggestionOperations({ pushes, findProject, projectAccessOf }),
    ...todoOperations({ database, externalUrl }),
    ...userCountOperations(database),
    ...attentionOperations({ database, repositories, externalUrl }),
  ]
}
