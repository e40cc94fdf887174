import { memberPart } from '../../accounts/members/transfer.js'
import { environmentPart } from '../../ci/environments/transfer.js'
import { featureFlagPart, userListPart } from '../../ci/feature-flags/transfer.js'
import { freezePeriodPart } from '../../ci/freeze-periods/transfer.js'
import { protectedEnvironmentPart } from '../../ci/protected-environments/transfer.js'
import { schedulePart } from '../../ci/schedules/transfer.js'
import { deployKeyPart } from '../../hosting/deploy-keys/transfer.js'
import { badgePart } from '../../hosting/project-badges/transfer.js'
import { createProjectFinder } from '../../hosting/projects/find-project.js'
import { protectedBranchPart, protectedTagPart } from '../../hosting/protected-refs/transfer.js'
import { pushRulePart } from '../../hosting/push-rules/transfer.js'
import { releasePart } from '../../hosting/releases/transfer.js'
import { snippetPart } from '../../hosting/snippets/transfer.js'
import type { TransferPart } from '../../http/archive-part.js'
import { Authenticator } from '../../http/authentication/authenticator.js'
import { hookPart } from '../../integrations/webhooks/transfer.js'
import { boardPart } from '../../planning/boards/transfer.js'
import { issueLinkPart, issuePart } from '../../planning/issues/transfer.js'
import { labelPart } from '../../planning/labels/transfer.js'
import {
  approvalRulePart,
  mergeRequestRulePart,
} from '../../planning/merge-requests/approvals/rule-transfer.js'
import { approvalSettingsPart } from '../../planning/merge-requests/approvals/transfer.js'
import { statusCheckPart } from '../../planning/merge-requests/status-checks/transfer.js'
import { mergeRequestPart } from '../../planning/merge-requests/transfer/part.js'
import { milestonePart } from '../../planning/milestones/transfer.js'
import { notePart } from '../../planning/notes/transfer.js'
import type { BaseServices } from './base.js'
import { mayInProject } from './may-in-project.js'
import { pushDeps } from './push-deps.js'

type TransferSources = Pick<
  BaseServices,
  | 'database'
  | 'secrets'
  | 'repositories'
  | 'snippetRepositories'
  | 'logger'
  | 'engine'
  | 'statistics'
  | 'egress'
  | 'systemEgress'
>

/** The parts of project archives beside repository and settings, in the order of the import. */
export function transferParts(sources: TransferSources): TransferPart[] {
  const { database, secrets, engine, egress, systemEgress } = sources
  const authenticator = new Authenticator(database)
  const findProject = createProjectFinder(database)
  const mayDo = mayInProject(database)
  return [
    memberPart({ database, findUser: (idOrName) => authenticator.findUser(idOrName) }),
    environmentPart(engine),
    deployKeyPart({
      database,
      mayAdminister: async (user, projectId) => {
        const project = await findProject(String(projectId))
        return project !== undefined && mayDo('admin_deploy_keys', user, project)
      },
    }),
    badgePart(database),
    schedulePart(engine),
    freezePeriodPart(database),
    // Must precede the flags that name them.
    userListPart(database),
    featureFlagPart(database),
    labelPart(database),
    // Must precede the issues and releases that name them.
    milestonePart(database),
    issuePart(database),
    issueLinkPart(database),
    boardPart(database),
    mergeRequestPart({ database, repositories: sources.repositories }),
    notePart(database),
    approvalSettingsPart(database),
    snippetPart(sources),
    releasePart({ engine, pushes: pushDeps(sources) }),
    // After parts that not even owners could create if nobody may push.
    protectedBranchPart(database),
    protectedTagPart(database),
    protectedEnvironmentPart(database),
    // After the branches that they name.
    approvalRulePart(database),
    // After the rules that they replace.
    mergeRequestRulePart(database),
    statusCheckPart({ database, secrets, egress }),
    pushRulePart(database),
    // Last, so that imported objects trigger no webhook.
    hookPart({ database, secrets, egress, systemEgress }),
  ]
}
