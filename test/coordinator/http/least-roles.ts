import { roles as applicationsRoles } from '../accounts/applications/roles.js'
import { roles as auditEventsRoles } from '../accounts/audit-events/roles.js'
import { roles as customAttributesRoles } from '../accounts/custom-attributes/roles.js'
import { roles as namespacesRoles } from '../accounts/groups/roles.js'
import { roles as membersRoles } from '../accounts/members/roles.js'
import { roles as notificationRoles } from '../accounts/notification-settings/roles.js'
import { roles as usersRoles } from '../accounts/users/roles.js'
import { roles as backupReportsRoles } from '../backup/reports/roles.js'
import { roles as bulkImportRoles } from '../bulk-imports/roles.js'
import { roles as cachesRoles } from '../ci/caches/roles.js'
import { roles as commitStatusesRoles } from '../ci/commit-statuses/roles.js'
import { roles as deploymentsRoles } from '../ci/deployments/roles.js'
import { roles as environmentsRoles } from '../ci/environments/roles.js'
import { roles as featureFlagsRoles } from '../ci/feature-flags/roles.js'
import { roles as freezePeriodsRoles } from '../ci/freeze-periods/roles.js'
import { roles as holdsRoles } from '../ci/holds/roles.js'
import { roles as jobsRoles } from '../ci/jobs/roles.js'
import { roles as ciLintRoles } from '../ci/lint/roles.js'
import { roles as pipelinesRoles } from '../ci/pipelines/roles.js'
import { roles as protectedEnvironmentsRoles } from '../ci/protected-environments/roles.js'
import { roles as resourceGroupsRoles } from '../ci/resource-groups/roles.js'
import { roles as runnerStatisticsRoles } from '../ci/runner-statistics/roles.js'
import { roles as runnersRoles } from '../ci/runners/roles.js'
import { roles as pipelineSchedulesRoles } from '../ci/schedules/roles.js'
import { roles as secureFilesRoles } from '../ci/secure-files/roles.js'
import { roles as siteRoles } from '../ci/sites/roles.js'
import { roles as testCaseRoles } from '../ci/test-cases/roles.js'
import { roles as triggersRoles } from '../ci/triggers/roles.js'
import { roles as variablesRoles } from '../ci/variables/roles.js'
import { roles as branchesRoles } from '../hosting/branches/roles.js'
import { roles as changelogsRoles } from '../hosting/changelogs/roles.js'
import { roles as commitsRoles } from '../hosting/commits/roles.js'
import { roles as deployKeysRoles } from '../hosting/deploy-keys/roles.js'
import { roles as deployTokensRoles } from '../hosting/deploy-tokens/roles.js'
import { roles as filesRoles } from '../hosting/files/roles.js'
import { roles as remoteMirrorsRoles } from '../hosting/mirrors/roles.js'
import { roles as linkBadgesRoles } from '../hosting/project-badges/roles.js'
import { roles as projectsRoles } from '../hosting/projects/roles.js'
import { roles as protectedBranchesRoles } from '../hosting/protected-refs/roles.js'
import { roles as pullMirrorRoles } from '../hosting/pull-mirrors/roles.js'
import { roles as pushRuleRoles } from '../hosting/push-rules/roles.js'
import { roles as releasesRoles } from '../hosting/releases/roles.js'
import { roles as repositoryRoles } from '../hosting/repository-contents/roles.js'
import { roles as snippetRoles } from '../hosting/snippets/roles.js'
import { roles as tagsRoles } from '../hosting/tags/roles.js'
import { roles as templatesRoles } from '../hosting/templates/roles.js'
import { roles as topicRoles } from '../hosting/topics/roles.js'
import { roles as wikiRoles } from '../hosting/wikis/roles.js'
import { roles as appearanceRoles } from '../instance/appearance/roles.js'
import { roles as broadcastMessageRoles } from '../instance/broadcast-messages/roles.js'
import { roles as metadataRoles } from '../instance/metadata/roles.js'
import { roles as overviewRoles } from '../instance/overview/roles.js'
import { roles as planLimitRoles } from '../instance/plan-limits/roles.js'
import { roles as setUpRoles } from '../instance/set-up/roles.js'
import { roles as settingRoles } from '../instance/settings/roles.js'
import { roles as statisticsRoles } from '../instance/statistics/roles.js'
import { roles as eventsRoles } from '../integrations/activity-events/roles.js'
import { roles as serviceRoles } from '../integrations/services/roles.js'
import { roles as hooksRoles } from '../integrations/webhooks/roles.js'
import { roles as liveRoles } from '../live/roles.js'
import { roles as mcpRoles } from '../mcp/roles.js'
import { roles as attentionRoles } from '../planning/attention/roles.js'
import { roles as awardEmojiRoles } from '../planning/award-emoji/roles.js'
import { roles as boardsRoles } from '../planning/boards/roles.js'
import { roles as chatCommandRoles } from '../planning/chat-commands/roles.js'
import { roles as discussionsRoles } from '../planning/discussions/roles.js'
import { roles as draftNotesRoles } from '../planning/draft-notes/roles.js'
import { roles as epicIssuesRoles } from '../planning/epic-issues/roles.js'
import { roles as epicsRoles } from '../planning/epics/roles.js'
import { roles as issuesRoles } from '../planning/issues/roles.js'
import { roles as labelsRoles } from '../planning/labels/roles.js'
import { roles as markdownRoles } from '../planning/markdown/roles.js'
import { roles as mergeRequestsRoles } from '../planning/merge-requests/roles.js'
import { roles as milestonesRoles } from '../planning/milestones/roles.js'
import { roles as notesRoles } from '../planning/notes/roles.js'
import { roles as relatedRoles } from '../planning/related/roles.js'
import { roles as resourceEventsRoles } from '../planning/resource-events/roles.js'
import { roles as searchRoles } from '../planning/search/roles.js'
import { roles as suggestionsRoles } from '../planning/suggestions/roles.js'
import { roles as todosRoles } from '../planning/todos/roles.js'
import { roles as sessionRoles } from '../sessions/roles.js'

/**
 * The least role that may call an operation. `anyone` needs no credential, or shows one that the operation looks at
 * itself (those of runners and jobs); `user` is signed in; from `guest` to `owner` it is the role in the project or group
 * of the path, where a visitor of what is open counts as a reporter of the project or guest of the group; a reporting
 * member is a reporter by a membership; a pipeline reader is a reporter, or everybody who sees the project when its jobs
 * are public.
 */
export type LeastRole =
  | 'anyone'
  | 'user'
  | 'guest'
  | 'reporter'
  | 'reporting member'
  | 'pipeline reader'
  | 'developer'
  | 'maintainer'
  | 'owner'
  | 'administrator'

export type LeastRoles = Record<string, LeastRole>

/** By route; each resource states its own. */
export const LEAST_ROLES: LeastRoles = {
  ...appearanceRoles,
  ...applicationsRoles,
  ...planLimitRoles,
  ...auditEventsRoles,
  ...awardEmojiRoles,
  ...branchesRoles,
  ...broadcastMessageRoles,
  ...bulkImportRoles,
  ...cachesRoles,
  ...changelogsRoles,
  ...ciLintRoles,
  ...commitStatusesRoles,
  ...commitsRoles,
  ...customAttributesRoles,
  ...deployKeysRoles,
  ...deployTokensRoles,
  ...deploymentsRoles,
  ...environmentsRoles,
  ...eventsRoles,
  ...filesRoles,
  ...hooksRoles,
  ...holdsRoles,
  ...jobsRoles,
  ...labelsRoles,
  ...liveRoles,
  ...issuesRoles,
  ...linkBadgesRoles,
  ...membersRoles,
  ...mcpRoles,
  ...mergeRequestsRoles,
  ...notificationRoles,
  ...pullMirrorRoles,
  ...pushRuleRoles,
  ...serviceRoles,
  ...chatCommandRoles,
  ...snippetRoles,
  ...wikiRoles,
  ...metadataRoles,
  ...overviewRoles,
  ...setUpRoles,
  ...backupReportsRoles,
  ...settingRoles,
  ...statisticsRoles,
  ...markdownRoles,
  ...milestonesRoles,
  ...discussionsRoles,
  ...draftNotesRoles,
  ...notesRoles,
  ...suggestionsRoles,
  ...relatedRoles,
  ...boardsRoles,
  ...epicIssuesRoles,
  ...epicsRoles,
  ...namespacesRoles,
  ...pipelineSchedulesRoles,
  ...pipelinesRoles,
  ...projectsRoles,
  ...protectedBranchesRoles,
  ...protectedEnvironmentsRoles,
  ...releasesRoles,
  ...remoteMirrorsRoles,
  ...repositoryRoles,
  ...resourceEventsRoles,
  ...resourceGroupsRoles,
  ...runnerStatisticsRoles,
  ...runnersRoles,
  ...searchRoles,
  ...secureFilesRoles,
  ...siteRoles,
  ...freezePeriodsRoles,
  ...featureFlagsRoles,
  ...sessionRoles,
  ...tagsRoles,
  ...templatesRoles,
  ...attentionRoles,
  ...testCaseRoles,
  ...todosRoles,
  ...topicRoles,
  ...triggersRoles,
  ...usersRoles,
  ...variablesRoles,
}
