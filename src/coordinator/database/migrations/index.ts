import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import * as foundation from './0001-foundation.js'
import * as caches from './0002-caches.js'
import * as pipelineLife from './0003-pipeline-life.js'
import * as variables from './0004-variables.js'
import * as debugTraces from './0005-debug-traces.js'
import * as pipelineSchedules from './0006-pipeline-schedules.js'
import * as coverage from './0007-coverage.js'
import * as groupRunners from './0008-group-runners.js'
import * as resourceGroups from './0009-resource-groups.js'
import * as jobPriority from './0010-job-priority.js'
import * as testReports from './0011-test-reports.js'
import * as triggers from './0012-triggers.js'
import * as waitedFor from './0013-waited-for.js'
import * as commitStatuses from './0014-commit-statuses.js'
import * as sourceSettings from './0015-source-settings.js'
import * as downstreamPipelines from './0016-downstream-pipelines.js'
import * as removedJobs from './0017-removed-jobs.js'
import * as environments from './0018-environments.js'
import * as artifactLocks from './0019-artifact-locks.js'
import * as queueKinds from './0020-queue-kinds.js'
import * as runnerWeight from './0021-runner-weight.js'
import * as releases from './0022-releases.js'
import * as auditEvents from './0023-audit-events.js'
import * as accounts from './0024-accounts.js'
import * as groups from './0025-groups.js'
import * as projects from './0026-projects.js'
import * as repositoryAccess from './0027-repository-access.js'
import * as hooks from './0028-hooks.js'
import * as releaseJob from './0029-release-job.js'
import * as ciLists from './0030-ci-lists.js'
import * as groupRemovals from './0035-group-removals.js'
import * as importClaims from './0036-import-claims.js'
import * as hookPayloads from './0038-hook-payloads.js'
import * as projectDependencies from './0041-project-dependencies.js'
import * as listIndexes from './0044-list-indexes.js'
import * as groupAvatars from './0046-group-pictures.js'
import * as auditIntents from './0047-audit-intents.js'
import * as failedAttempts from './0048-failed-attempts.js'
import * as redirects from './0051-old-paths.js'
import * as fetchCounts from './0052-fetch-counts.js'
import * as starCounts from './0053-star-counts.js'
import * as ciListIndexes from './0055-ci-list-indexes.js'
import * as peopleLists from './0057-people-lists.js'
import * as namespaceLists from './0058-namespace-lists.js'
import * as projectExports from './0059-project-exports.js'
import * as archiveImports from './0060-archive-imports.js'
import * as signIns from './0061-sign-ins.js'
import * as activity from './0063-activity.js'
import * as secureFiles from './0064-secure-files.js'
import * as remoteMirrors from './0065-remote-mirrors.js'
import * as traceSizes from './0066-trace-sizes.js'
import * as oauthApplications from './0067-oauth-applications.js'
import * as oauthGrants from './0068-oauth-grants.js'
import * as activityTimes from './0069-activity-times.js'
import * as statusNumbers from './0070-status-numbers.js'
import * as coveredLists from './0071-covered-lists.js'
import * as jobTokenScope from './0072-job-token-scope.js'
import * as openid from './0073-openid.js'
import * as releaseOrder from './0074-release-order.js'
import * as adjournedDeletions from './0075-adjourned-deletions.js'
import * as pushAttempts from './0080-push-attempts.js'
import * as autoStopUsers from './0086-auto-stop-users.js'
import * as protectedEnvironments from './0087-protected-environments.js'
import * as protectedSecureFiles from './0088-protected-secure-files.js'
import * as endedJobTokens from './0090-ended-job-tokens.js'
import * as unconfirmedEmails from './0091-unconfirmed-emails.js'
import * as traceSecrets from './0093-trace-secrets.js'
import * as runnerInfo from './0095-runner-info.js'
import * as milestones from './0103-milestones.js'
import * as labels from './0104-labels.js'
import * as issues from './0105-issues.js'
import * as issueLabels from './0106-issue-labels.js'
import * as mergeRequests from './0107-merge-requests.js'
import * as epics from './0108-epics.js'
import * as mergeRequestPipelines from './0109-merge-request-pipelines.js'
import * as awardEmoji from './0110-award-emoji.js'
import * as mergeRequestRefreshes from './0111-merge-request-refreshes.js'
import * as todos from './0112-todos.js'
import * as mergeRequestTasks from './0113-merge-request-tasks.js'
import * as activityTargets from './0114-activity-targets.js'
import * as mergeRequestOrders from './0115-merge-request-orders.js'
import * as resourceEvents from './0116-resource-events.js'
import * as notes from './0117-notes.js'
import * as approvalSettings from './0118-approval-settings.js'
import * as mergeRequestIssues from './0119-merge-request-issues.js'
import * as suggestions from './0120-suggestions.js'
import * as planningOrders from './0121-planning-orders.js'
import * as noteEmoji from './0122-note-emoji.js'
import * as commitNotes from './0123-commit-notes.js'
import * as unbuiltHeads from './0124-unbuilt-heads.js'
import * as applicationSettings from './0125-application-settings.js'
import * as pushRules from './0126-push-rules.js'
import * as notificationSettings from './0127-notification-settings.js'
import * as snippets from './0128-snippets.js'
import * as lfsObjects from './0129-lfs-objects.js'
import * as integrations from './0130-integrations.js'
import * as pullMirrors from './0131-pull-mirrors.js'
import * as groupHooks from './0132-group-hooks.js'
import * as deploymentMergeRequests from './0133-deployment-merge-requests.js'
import * as wikis from './0134-wikis.js'
import * as deliveryRequests from './0135-delivery-requests.js'
import * as mails from './0136-mails.js'
import * as accountLinks from './0137-account-links.js'
import * as releaseEvidence from './0138-release-evidence.js'
import * as textIndexes from './0139-text-indexes.js'
import * as planningValues from './0140-planning-values.js'
import * as chatNames from './0141-chat-names.js'
import * as snippetSizes from './0142-snippet-sizes.js'
import * as hookIndexes from './0143-hook-indexes.js'
import * as keyUses from './0144-key-uses.js'
import * as wikiPages from './0145-wiki-pages.js'
import * as instancePushRule from './0146-instance-push-rule.js'
import * as commentActivity from './0147-comment-activity.js'
import * as bulkPushes from './0148-bulk-pushes.js'
import * as keyReminders from './0149-key-reminders.js'
import * as externalAnswers from './0150-external-answers.js'
import * as webSessions from './0151-web-sessions.js'
import * as signInLinks from './0152-sign-in-links.js'
import * as grantAuthTimes from './0153-grant-auth-times.js'
import * as pipelineLists from './0157-pipeline-lists.js'
import * as pipelinesEverywhere from './0158-pipelines-everywhere.js'
import * as pipelinesUnderWay from './0159-pipelines-under-way.js'
import * as testHistory from './0161-test-history.js'
import * as waitHistograms from './0162-wait-histograms.js'
import * as cacheIndex from './0163-cache-index.js'
import * as coordinators from './0164-coordinators.js'
import * as runnerFailures from './0165-runner-failures.js'
import * as auditAuthors from './0166-audit-authors.js'
import * as termsAcceptances from './0167-terms-acceptances.js'
import * as applicationOwners from './0168-application-owners.js'
import * as jobStates from './0175-job-states.js'
import * as projectSizes from './0176-project-sizes.js'
import * as needNames from './0177-need-names.js'
import * as jobLogs from './0180-job-logs.js'
import * as retention from './0183-retention.js'
import * as commitLists from './0184-commit-lists.js'
import * as storedLogs from './0190-stored-logs.js'
import * as orphanedBlobs from './0191-orphaned-blobs.js'
import * as jobIndexes from './0192-job-indexes.js'
import * as silentRunners from './0193-silent-runners.js'
import * as projectDeletions from './0194-project-deletions.js'
import * as dynamicApplications from './0195-dynamic-applications.js'
import * as intentions from './0196-intentions.js'
import * as markedBy from './0197-marked-by.js'
import * as namedBy from './0198-named-by.js'
import * as freezePeriods from './0199-freeze-periods.js'
import * as featureFlags from './0200-feature-flags.js'

interface DialectMigration {
  up(db: Kysely<unknown>, dialect: DialectName): Promise<void>
}

/** All migrations in order. Never edit a landed entry: add a new one. */
export const migrations: Record<string, DialectMigration> = {
  '0001-foundation': foundation,
  '0002-caches': caches,
  '0003-pipeline-life': pipelineLife,
  '0004-variables': variables,
  '0005-debug-traces': debugTraces,
  '0006-pipeline-schedules': pipelineSchedules,
  '0007-coverage': coverage,
  '0008-group-runners': groupRunners,
  '0009-resource-groups': resourceGroups,
  '0010-job-priority': jobPriority,
  '0011-test-reports': testReports,
  '0012-triggers': triggers,
  '0013-waited-for': waitedFor,
  '0014-commit-statuses': commitStatuses,
  '0015-source-settings': sourceSettings,
  '0016-downstream-pipelines': downstreamPipelines,
  '0017-removed-jobs': removedJobs,
  '0018-environments': environments,
  '0019-artifact-locks': artifactLocks,
  '0020-queue-kinds': queueKinds,
  '0021-runner-weight': runnerWeight,
  '0022-releases': releases,
  '0023-audit-events': auditEvents,
  '0024-accounts': accounts,
  '0025-groups': groups,
  '0026-projects': projects,
  '0027-repository-access': repositoryAccess,
  '0028-hooks': hooks,
  '0029-release-job': releaseJob,
  '0030-ci-lists': ciLists,
  '0035-group-removals': groupRemovals,
  '0036-import-claims': importClaims,
  '0038-hook-payloads': hookPayloads,
  '0041-project-dependencies': projectDependencies,
  '0044-list-indexes': listIndexes,
  '0046-group-pictures': groupAvatars,
  '0047-audit-intents': auditIntents,
  '0048-failed-attempts': failedAttempts,
  '0051-old-paths': redirects,
  '0052-fetch-counts': fetchCounts,
  '0053-star-counts': starCounts,
  '0055-ci-list-indexes': ciListIndexes,
  '0057-people-lists': peopleLists,
  '0058-namespace-lists': namespaceLists,
  '0059-project-exports': projectExports,
  '0060-archive-imports': archiveImports,
  '0061-sign-ins': signIns,
  '0063-activity': activity,
  '0064-secure-files': secureFiles,
  '0065-remote-mirrors': remoteMirrors,
  '0066-trace-sizes': traceSizes,
  '0067-oauth-applications': oauthApplications,
  '0068-oauth-grants': oauthGrants,
  '0069-activity-times': activityTimes,
  '0070-status-numbers': statusNumbers,
  '0071-covered-lists': coveredLists,
  '0072-job-token-scope': jobTokenScope,
  '0073-openid': openid,
  '0074-release-order': releaseOrder,
  '0075-adjourned-deletions': adjournedDeletions,
  '0080-push-attempts': pushAttempts,
  '0086-auto-stop-users': autoStopUsers,
  '0087-protected-environments': protectedEnvironments,
  '0088-protected-secure-files': protectedSecureFiles,
  '0090-ended-job-tokens': endedJobTokens,
  '0091-unconfirmed-emails': unconfirmedEmails,
  '0093-trace-secrets': traceSecrets,
  '0095-runner-info': runnerInfo,
  '0103-milestones': milestones,
  '0104-labels': labels,
  '0105-issues': issues,
  '0106-issue-labels': issueLabels,
  '0107-merge-requests': mergeRequests,
  '0108-epics': epics,
  '0109-merge-request-pipelines': mergeRequestPipelines,
  '0110-award-emoji': awardEmoji,
  '0111-merge-request-refreshes': mergeRequestRefreshes,
  '0112-todos': todos,
  '0113-merge-request-tasks': mergeRequestTasks,
  '0114-activity-targets': activityTargets,
  '0115-merge-request-orders': mergeRequestOrders,
  '0116-resource-events': resourceEvents,
  '0117-notes': notes,
  '0118-approval-settings': approvalSettings,
  '0119-merge-request-issues': mergeRequestIssues,
  '0120-suggestions': suggestions,
  '0121-planning-orders': planningOrders,
  '0122-note-emoji': noteEmoji,
  '0123-commit-notes': commitNotes,
  '0124-unbuilt-heads': unbuiltHeads,
  '0125-application-settings': applicationSettings,
  '0126-push-rules': pushRules,
  '0127-notification-settings': notificationSettings,
  '0128-snippets': snippets,
  '0129-lfs-objects': lfsObjects,
  '0130-integrations': integrations,
  '0131-pull-mirrors': pullMirrors,
  '0132-group-hooks': groupHooks,
  '0133-deployment-merge-requests': deploymentMergeRequests,
  '0134-wikis': wikis,
  '0135-delivery-requests': deliveryRequests,
  '0136-mails': mails,
  '0137-account-links': accountLinks,
  '0138-release-evidence': releaseEvidence,
  '0139-text-indexes': textIndexes,
  '0140-planning-values': planningValues,
  '0141-chat-names': chatNames,
  '0142-snippet-sizes': snippetSizes,
  '0143-hook-indexes': hookIndexes,
  '0144-key-uses': keyUses,
  '0145-wiki-pages': wikiPages,
  '0146-instance-push-rule': instancePushRule,
  '0147-comment-activity': commentActivity,
  '0148-bulk-pushes': bulkPushes,
  '0149-key-reminders': keyReminders,
  '0150-external-answers': externalAnswers,
  '0151-web-sessions': webSessions,
  '0152-sign-in-links': signInLinks,
  '0153-grant-auth-times': grantAuthTimes,
  '0157-pipeline-lists': pipelineLists,
  '0158-pipelines-everywhere': pipelinesEverywhere,
  '0159-pipelines-under-way': pipelinesUnderWay,
  '0161-test-history': testHistory,
  '0162-wait-histograms': waitHistograms,
  '0163-cache-index': cacheIndex,
  '0164-coordinators': coordinators,
  '0165-runner-failures': runnerFailures,
  '0166-audit-authors': auditAuthors,
  '0167-terms-acceptances': termsAcceptances,
  '0168-application-owners': applicationOwners,
  '0175-job-states': jobStates,
  '0176-project-sizes': projectSizes,
  '0177-need-names': needNames,
  '0180-job-logs': jobLogs,
  '0183-retention': retention,
  '0184-commit-lists': commitLists,
  '0190-stored-logs': storedLogs,
  '0191-orphaned-blobs': orphanedBlobs,
  '0192-job-indexes': jobIndexes,
  '0193-silent-runners': silentRunners,
  '0194-project-deletions': projectDeletions,
  '0195-dynamic-applications': dynamicApplications,
  '0196-intentions': intentions,
  '0197-marked-by': markedBy,
  '0198-named-by': namedBy,
  '0199-freeze-periods': freezePeriods,
  '0200-feature-flags': featureFlags,
}
