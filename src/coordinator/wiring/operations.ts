import { may } from '../http/access.js'
import { levelOf, standingIn } from '../http/handle-operation.js'
import type { Operation, Project, User } from '../http/operation.js'
import { API_VERSION, REVISION } from '../http/version.js'
import { applicationOperations } from '../resources/applications/operations.js'
import { auditEventOperations } from '../resources/audit-events/operations.js'
import { branchOperations } from '../resources/branches/operations.js'
import { ciLintOperations } from '../resources/ci-lint/operations.js'
import { commitStatusOperations } from '../resources/commit-statuses/operations.js'
import { commitOperations } from '../resources/commits/operations.js'
import { customAttributeOperations } from '../resources/custom-attributes/operations.js'
import { deployKeyOperations } from '../resources/deploy-keys/operations.js'
import { deployTokenOperations } from '../resources/deploy-tokens/operations.js'
import { describeDeployments } from '../resources/deployments/describe-deployments.js'
import { deploymentOperations } from '../resources/deployments/operations.js'
import { environmentOperations } from '../resources/environments/operations.js'
import { eventOperations } from '../resources/events/operations.js'
import { fileOperations } from '../resources/files/operations.js'
import { hookOperations } from '../resources/hooks/operations.js'
import { uploadOperations } from '../resources/jobs/artifacts/upload-operations.js'
import { cacheOperations } from '../resources/jobs/cache-operations.js'
import type { SeenInProject } from '../resources/jobs/job-operations-deps.js'
import { jobRecords } from '../resources/jobs/job-records.js'
import { jobOperations } from '../resources/jobs/operations.js'
import type { RunnerDirectory } from '../resources/jobs/request/runner-directory.js'
import { jobRunnerOperations } from '../resources/jobs/runner-operations.js'
import { linkBadgeOperations } from '../resources/link-badges/operations.js'
import { memberOperations } from '../resources/members/operations.js'
import { metadataOperations } from '../resources/metadata/operations.js'
import { createGroupDirectory } from '../resources/namespaces/group-directory.js'
import { ownedGroup } from '../resources/namespaces/groups.js'
import { namespaceOperations } from '../resources/namespaces/namespace-operations.js'
import { groupOperations } from '../resources/namespaces/operations.js'
import { pipelineScheduleOperations } from '../resources/pipeline-schedules/operations.js'
import { pipelineOperations } from '../resources/pipelines/operations.js'
import { projectOperations } from '../resources/projects/operations.js'
import {
  protectedBranchOperations,
  protectedTagOperations,
} from '../resources/protected-branches/operations.js'
import { protectedEnvironmentOperations } from '../resources/protected-environments/operations.js'
import { releaseOperations } from '../resources/releases/operations.js'
import { remoteMirrorOperations } from '../resources/remote-mirrors/operations.js'
import { repositoryOperations } from '../resources/repository/operations.js'
import { resourceGroupOperations } from '../resources/resource-groups/operations.js'
import { runnerJobsFor } from '../resources/runners/access.js'
import { RunnerContacts } from '../resources/runners/contacts.js'
import { runnerOperations } from '../resources/runners/operations.js'
import { runnerSideOperations } from '../resources/runners/runner-operations.js'
import { findRunnerByToken } from '../resources/runners/store.js'
import { secureFileOperations } from '../resources/secure-files/operations.js'
import { tagOperations } from '../resources/tags/operations.js'
import { triggerOperations } from '../resources/triggers/operations.js'
import { accountOperations } from '../resources/users/account-operations.js'
import { variableOperations } from '../resources/variables/operations.js'
import { accountDeps } from './account-deps.js'
import { attributeOwners } from './attribute-owners.js'
import type { Parts } from './parts.js'
import { groupDeps, projectDeps } from './project-deps.js'
import { pushDeps } from './push-deps.js'

export interface OperationListDeps {
  externalUrl: string
  /** Aborts when held job requests are to be answered. */
  stopping: AbortSignal
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  standingOf: Parameters<typeof levelOf>[0]['standingOf']
}

/** Every resource of the API. */
export function listOperations(parts: Parts, deps: OperationListDeps): Operation[] {
  const { database, secrets, repositories, artifacts, caches, uploads, traces } = parts
  const { engine, settings } = parts
  const { watches, traceReaders } = parts
  const { externalUrl, findUser, stopping } = deps
  const contacts = new RunnerContacts(database)
  const forPeople = { database, secrets, externalUrl, findUser }
  const jobs = jobRecords({ database, repositories, artifacts, externalUrl })
  const forJobs = { engine, artifacts, traces, traceReaders, externalUrl, runnerFor, maySee }
  const forRefs = { pushes: pushDeps(parts), externalUrl, maxCommitBytes: settings.commitsMaxBytes }
  return [
    ...metadataOperations(),
    ...accountOperations({ ...forPeople, ...accountDeps(parts) }),
    ...applicationOperations({ database }),
    ...auditEventOperations({ database }),
    ...eventOperations({ ...forPeople, repositories }),
    ...namespaceOperations(forPeople),
    ...groupOperations(groupDeps(parts, deps)),
    ...projectOperations(projectDeps(parts, deps)),
    ...linkBadgeOperations({ database, repositories }),
    ...customAttributeOperations({
      database,
      ...attributeOwners({ findUser, findProject: deps.findProject, groups: createGroupDirectory(database) }),
    }),
    ...memberOperations(forPeople),
    ...variableOperations(forPeople),
    ...protectedBranchOperations(forPeople),
    ...protectedTagOperations(forPeople),
    ...protectedEnvironmentOperations({ database }),
    ...deployTokenOperations({ database }),
    ...deployKeyOperations({ database, mayAdminister: mayAdministerKeys }),
    ...branchOperations(forRefs),
    ...tagOperations(forRefs),
    ...commitOperations({ ...forRefs, readableProject }),
    ...fileOperations(forRefs),
    ...repositoryOperations({
      ...{ ...forRefs, readableProject, findProject: deps.findProject },
      archivesPerMinute: settings.rateLimits.archives,
    }),
    ...runnerOperations({ ...forPeople, levelOf: levelOfUser, ownedGroup: groupOf }),
    ...runnerSideOperations({ database, secrets, contacts }),
    ...pipelineOperations({ ...forJobs, findProject: deps.findProject }),
    ...triggerOperations(forPeople),
    ...pipelineScheduleOperations({
      engine,
      externalUrl,
      onScheduled: (at) => parts.pipelineSchedule.note(at),
    }),
    ...commitStatusOperations({ engine, externalUrl }),
    ...ciLintOperations({ engine }),
    ...hookOperations({
      ...{ database, secrets, outbound: parts.outbound },
      deliveries: parts.deliveries,
      samples: { database, repositories },
    }),
    ...secureFileOperations({ database, secrets, blobs: parts.blobs }),
    ...remoteMirrorOperations({
      ...{ database, secrets },
      refuses: (address) => parts.outbound.refuses(address),
      wake: () => parts.mirrors.wake(),
    }),
    ...resourceGroupOperations({ engine, jobs }),
    ...releaseOperations({ engine, ...forRefs }),
    ...environmentOperations({
      engine,
      describeDeployments: (rows) => describeDeployments({ database, jobs, externalUrl }, rows),
    }),
    ...deploymentOperations({ engine, jobs, externalUrl }),
    ...jobOperations(forJobs),
    ...cacheOperations({ database, caches }),
    ...uploadOperations({
      ...{ database, artifacts, uploads },
      expireSeconds: settings.artifactsExpireSeconds,
    }),
    ...jobRunnerOperations({
      ...forJobs,
      server: {
        externalUrl,
        version: API_VERSION,
        revision: REVISION,
        artifactsMaxBytes: settings.artifactsMaxBytes,
      },
      runners: runnerDirectory(parts, contacts),
      tokens: parts.tokens,
      watches,
      stopping,
      longPollSeconds: settings.longPollSeconds,
      artifactsExpireSeconds: settings.artifactsExpireSeconds,
    }),
  ]

  function runnerFor(user: User, runnerId: number) {
    return runnerJobsFor(database, user, runnerId)
  }

  async function maySee(what: SeenInProject, user: User | undefined, project: Project): Promise<boolean> {
    return may(what, { project, ...(await standingIn(deps, user, project)) })
  }

  function groupOf(idOrPath: string, user: User) {
    return ownedGroup(database, idOrPath, user)
  }

  function levelOfUser(user: User, project: Project): Promise<number> {
    return levelOf(deps, user, project)
  }

  async function mayAdministerKeys(user: User, projectId: number): Promise<boolean> {
    const project = await deps.findProject(String(projectId))
    return (
      project !== undefined &&
      may('admin_deploy_keys', { project, ...(await standingIn(deps, user, project)) })
    )
  }

  async function readableProject(user: User, idOrPath: string): Promise<Project | undefined> {
    const project = await deps.findProject(idOrPath)
    return project && may('read_code', { project, ...(await standingIn(deps, user, project)) })
      ? project
      : undefined
  }
}

function runnerDirectory({ database }: Parts, contacts: RunnerContacts): RunnerDirectory {
  return {
    findByToken: (token) => findRunnerByToken(database, token),
    noteContact: (contact) => contacts.note(contact),
    featuresOf: (runnerId, systemId) => contacts.featuresOf(runnerId, systemId),
  }
}
