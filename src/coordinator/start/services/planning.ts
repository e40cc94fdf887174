import { ChatReplies } from '../../planning/chat-commands/replies.js'
import { DeployedWorker } from '../../planning/merge-requests/diffs/deployed-worker.js'
import { RefreshWorker } from '../../planning/merge-requests/refresh/refresh-worker.js'
import type { BaseServices } from './base.js'
import { outputForChat } from './log-excerpts.js'
import { mergeRequestListeners } from './merge-request-listeners.js'

export interface PlanningServices {
  /** Compares merge requests with their branches. */
  mergeRequestRefresh: RefreshWorker
  /** Stores which merge requests deployments have brought. */
  deployedMergeRequests: DeployedWorker
  /** Sends the results of commands to chats. */
  chatReplies: ChatReplies
}

export function createPlanningServices(sources: BaseServices): PlanningServices {
  const { database, secrets, egress, externalUrl, blobs, repositories, logger, engine } = sources
  return {
    mergeRequestRefresh: new RefreshWorker({
      database,
      blobs,
      repositories,
      logger,
      listeners: mergeRequestListeners(engine, repositories),
    }),
    deployedMergeRequests: new DeployedWorker({ database, repositories, logger }),
    chatReplies: new ChatReplies({
      database,
      secrets,
      egress,
      externalUrl,
      output: outputForChat(sources),
      logger,
    }),
  }
}
