import { may } from '../access/access.js'
import type { Project, User } from '../access/caller.js'
import { applicationOperations } from '../accounts/applications/operations.js'
import { auditEventOperations } from '../accounts/audit-events/operations.js'
import { customAttributeOperations } from '../accounts/custom-attributes/operations.js'
import { createGroupDirectory } from '../accounts/groups/group-directory.js'
import { ownedGroup } from '../accounts/groups/groups.js'
import { namespaceOperations } from '../accounts/groups/namespace-operations.js'
import { groupOperations } from '../accounts/groups/operations.js'
import { memberOperations } from '../accounts/members/operations.js'
import { accountOperations } from '../accounts/users/account-operations.js'
import { commitStatusOperations } from '../ci/commit-statuses/operations.js'
import { describeDeployments } from '../ci/deployments/describe-deployments.js'
import { deploymentOperations } from '../ci/deployments/operations.js'
import { environmentOperations } from '../ci/environments/operations.js'
import { uploadOperations } from '../ci/jobs/artifacts/upload-operations.js'
import { cacheOperations } from '../ci/jobs/cache-operations.js'
import type { SeenInProject } from '../ci/jobs/job-operations-deps.js'
import { jobRecords } from '../ci/jobs/job-records.js'
import { jobOperations } from '../ci/jobs/operations.js'
import type { RunnerDirectory } from '../ci/jobs/request/runner-directory.js'
import { jobRunnerOperations } from '../ci/jobs/runner-operations.js'
import { ciLintOperations } from '../ci/lint/operations.js'
import { pipelineOperations } from '../ci/pipelines/operations.js'
import { protectedEnvironmentOperations } from '../ci/protected-environments/operations.js'
import { resourceGroupOperations } from '../ci/resource-groups/operations.js'
import { runnerJobsFor } from '../ci/runners/access.js'
import { RunnerContacts } from '../ci/runners/contacts.js'
import { runnerOperations } from '../ci/runners/operations.js'
import { runnerSideOperations } from '../ci/runners/runner-operations.js'
import { findRunnerByToken } from '../ci/runners/store.js'
import { pipelineScheduleOperations } from '../ci/schedules/operations.js'
import { secureFileOperations } from '../ci/secure-files/operations.js'
import { triggerOperations } from '../ci/triggers/operations.js'
import { variableOperations } from '../ci/variables/operations.js'
import { branchOperations } from '../hosting/branches/operations.js'
import { commitOperations } from '../hosting/commits/operations.js'
import { deployKeyOperations } from '../hosting/deploy-keys/operations.js'
import { deployTokenOperations } from '../hosting/deploy-tokens/operations.js'
import { fileOperations } from '../hosting/files/operations.js'
import { remoteMirrorOperations } from '../hosting/mirrors/operations.js'
import { linkBadgeOperations } from '../hosting/project-badges/operations.js'
import { projectOperations } from '../hosting/projects/operations.js'
import { protectedBranchOperations, protectedTagOperations } from '../hosting/protected-refs/operations.js'
import { releaseOperations } from '../hosting/releases/operations.js'
import { summarizePush } from '../hosting/repositories/push/summarize-push.js'
import { repositoryOperations } from '../hosting/repository-contents/operations.js'
import { tagOperations } from '../hosting/tags/operations.js'
import { accessIn, levelOf } from '../http/handle-operation.js'
import type { Operation } from '../http/operation.js'
import { API_VERSION, REVISION } from '../http/version.js'
import { metadataOperations } from '../instance/metadata/operations.js'
import { eventOperations } from '../integrations/activity-events/operations.js'
import { hookOperations } from '../integrations/webhooks/operations.js'
import { accountDeps } from './account-deps.js'
import { attributeOwners } from './attribute-owners.js'
import { groupDeps, projectDeps } from './project-deps.js'
import { pushDeps } from './push-deps.js'
import type { Services } from './services.js'

export interface OperationListDeps {
  externalUrl: string
  /** Aborts when held job requests must be answered. */
  stopping: AbortSignal
  findProject: (idOrPath: string) => Promise<Project | undefined>
  findUser: (idOrName: string) => Promise<User | undefined>
  projectAccessOf: Parameters<typeof levelOf>[0]['projectAccessOf']
}

/** Every resource of the API. */
export function listOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, secrets, repositories, artifacts, caches, uploads, traces } = services
  const { engine, settings } = services
  const { watches, traceReaders } = services
  const { externalUrl, findUser, stopping } = deps
  const contacts = new RunnerContacts(database)
  const forPeople = { database, secrets, externalUrl, findUser }
  const jobs = jobRecords({ database, repositories, artifacts, externalUrl })
  const forJobs = { engine, artifacts, traces, traceReaders, externalUrl, runnerFor, maySee }
  const forRefs = { pushes: pushDeps(services), externalUrl, maxCommitBytes: settings.commitsMaxBytes }
  return [
    ...metadataOperations(),
    ...accountOperations({ ...forPeople, ...accountDeps(services) }),
    ...applicationOperations({ database }),
    ...auditEventOperations({ database }),
    ...eventOperations({
      ...forPeople,
      summarizePush: (pushed, signal) => summarizePush(repositories, pushed, signal),
    }),
    ...namespaceOperations(forPeople),
    ...groupOperations(groupDeps(services, deps)),
    ...projectOperations(projectDeps(services, deps)),
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
      ...forRefs,
      readableProject,
      findProject: deps.findProject,
      archivesPerMinute: settings.rateLimits.archives,
    }),
    ...runnerOperations({ ...forPeople, levelOf: levelOfUser, ownedGroup: groupOf }),
    ...runnerSideOperations({ database, secrets, contacts }),
    ...pipelineOperations({ ...forJobs, findProject: deps.findProject }),
    ...triggerOperations(forPeople),
    ...pipelineScheduleOperations({
      engine,
      externalUrl,
      onScheduled: (at) => services.pipelineSchedule.note(at),
    }),
    ...commitStatusOperations({ engine, externalUrl }),
    ...ciLintOperations({ engine }),
    ...hookOperations({
      database,
      secrets,
      egress: services.egress,
      deliveries: services.deliveries,
      samples: { database, repositories },
    }),
    ...secureFileOperations({ database, secrets, blobs: services.blobs }),
    ...remoteMirrorOperations({
      database,
      secrets,
      refuses: (address) => services.egress.refuses(address),
      wake: () => services.mirrors.wake(),
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
      database,
      artifacts,
      uploads,
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
      runners: runnerDirectory(services, contacts),
      tokens: services.tokens,
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
    return may(what, { project, ...(await accessIn(deps, user, project)) })
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
      project !== undefined && may('admin_deploy_keys', { project, ...(await accessIn(deps, user, project)) })
    )
  }

  async function readableProject(user: User, idOrPath: string): Promise<Project | undefined> {
    const project = await deps.findProject(idOrPath)
    return project && may('read_code', { project, ...(await accessIn(deps, user, project)) })
      ? project
      : undefined
  }
}

function runnerDirectory({ database }: Services, contacts: RunnerContacts): RunnerDirectory {
  return {
    findByToken: (token) => findRunnerByToken(database, token),
    recordContact: (contact) => contacts.note(contact),
    featuresOf: (runnerId, systemId) => contacts.featuresOf(runnerId, systemId),
  }
}
