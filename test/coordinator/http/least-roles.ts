import { roles as applicationsRoles } from '../resources/applications/roles.js'
import { roles as auditEventsRoles } from '../resources/audit-events/roles.js'
import { roles as branchesRoles } from '../resources/branches/roles.js'
import { roles as ciLintRoles } from '../resources/ci-lint/roles.js'
import { roles as commitStatusesRoles } from '../resources/commit-statuses/roles.js'
import { roles as commitsRoles } from '../resources/commits/roles.js'
import { roles as customAttributesRoles } from '../resources/custom-attributes/roles.js'
import { roles as deployKeysRoles } from '../resources/deploy-keys/roles.js'
import { roles as deployTokensRoles } from '../resources/deploy-tokens/roles.js'
import { roles as deploymentsRoles } from '../resources/deployments/roles.js'
import { roles as environmentsRoles } from '../resources/environments/roles.js'
import { roles as eventsRoles } from '../resources/events/roles.js'
import { roles as filesRoles } from '../resources/files/roles.js'
import { roles as hooksRoles } from '../resources/hooks/roles.js'
import { roles as jobsRoles } from '../resources/jobs/roles.js'
import { roles as linkBadgesRoles } from '../resources/link-badges/roles.js'
import { roles as membersRoles } from '../resources/members/roles.js'
import { roles as metadataRoles } from '../resources/metadata/roles.js'
import { roles as namespacesRoles } from '../resources/namespaces/roles.js'
import { roles as pipelineSchedulesRoles } from '../resources/pipeline-schedules/roles.js'
import { roles as pipelinesRoles } from '../resources/pipelines/roles.js'
import { roles as projectsRoles } from '../resources/projects/roles.js'
import { roles as protectedBranchesRoles } from '../resources/protected-branches/roles.js'
import { roles as protectedEnvironmentsRoles } from '../resources/protected-environments/roles.js'
import { roles as releasesRoles } from '../resources/releases/roles.js'
import { roles as remoteMirrorsRoles } from '../resources/remote-mirrors/roles.js'
import { roles as repositoryRoles } from '../resources/repository/roles.js'
import { roles as resourceGroupsRoles } from '../resources/resource-groups/roles.js'
import { roles as runnersRoles } from '../resources/runners/roles.js'
import { roles as secureFilesRoles } from '../resources/secure-files/roles.js'
import { roles as tagsRoles } from '../resources/tags/roles.js'
import { roles as triggersRoles } from '../resources/triggers/roles.js'
import { roles as usersRoles } from '../resources/users/roles.js'
import { roles as variablesRoles } from '../resources/variables/roles.js'

/**
 * The least role that may call an operation. `anyone` needs no credential, or shows one that the operation looks at
 * itself (those of runners and jobs); `user` is signed in; from `guest` to `owner` it is the role in the project or group
 * of the path, where a visitor of what is open counts as a reporter of the project or guest of the group; a pipeline
 * reader is a reporter, or everybody who sees the project when its jobs are public.
 */
export type LeastRole =
  | 'anyone'
  | 'user'
  | 'guest'
  | 'reporter'
  | 'pipeline reader'
  | 'developer'
  | 'maintainer'
  | 'owner'
  | 'administrator'

export type LeastRoles = Record<string, LeastRole>

/** By route; each resource states its own. */
export const LEAST_ROLES: LeastRoles = {
  ...applicationsRoles,
  ...auditEventsRoles,
  ...branchesRoles,
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
  ...jobsRoles,
  ...linkBadgesRoles,
  ...membersRoles,
  ...metadataRoles,
  ...namespacesRoles,
  ...pipelineSchedulesRoles,
  ...pipelinesRoles,
  ...projectsRoles,
  ...protectedBranchesRoles,
  ...protectedEnvironmentsRoles,
  ...releasesRoles,
  ...remoteMirrorsRoles,
  ...repositoryRoles,
  ...resourceGroupsRoles,
  ...runnersRoles,
  ...secureFilesRoles,
  ...tagsRoles,
  ...triggersRoles,
  ...usersRoles,
  ...variablesRoles,
}
