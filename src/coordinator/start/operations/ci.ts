import type { User } from '../../access/caller.js'
import { ownedGroup } from '../../accounts/groups/groups.js'
import { projectCacheOperations } from '../../ci/caches/operations.js'
import { commitStatusOperations } from '../../ci/commit-statuses/operations.js'
import { describeDeployments } from '../../ci/deployments/describe-deployments.js'
import { deploymentOperations } from '../../ci/deployments/operations.js'
import { environmentOperations } from '../../ci/environments/operations.js'
import { featureFlagOperations } from '../../ci/feature-flags/operations.js'
import { freezePeriodOperations } from '../../ci/freeze-periods/operations.js'
import { holdOperations } from '../../ci/holds/operations.js'
import { runnerHoldOperations } from '../../ci/holds/runner-operations.js'
import { uploadOperations } from '../../ci/jobs/artifacts/upload-operations.js'
import { cacheOperations } from '../../ci/jobs/cache-operations.js'
import { jobRecords } from '../../ci/jobs/job-records.js'
import { jobOperations } from '../../ci/jobs/operations.js'
import type { RunnerDirectory } from '../../ci/jobs/request/runner-directory.js'
import { jobRunnerOperations } from '../../ci/jobs/runner-operations.js'
import { ciLintOperations } from '../../ci/lint/operations.js'
import { pipelineOperations } from '../../ci/pipelines/operations.js'
import { protectedEnvironmentOperations } from '../../ci/protected-environments/operations.js'
import { resourceGroupOperations } from '../../ci/resource-groups/operations.js'
import { runnerStatisticsOperations } from '../../ci/runner-statistics/operations.js'
import { runnerJobsFor } from '../../ci/runners/access.js'
import { RunnerContacts } from '../../ci/runners/contacts.js'
import { runnerOperations } from '../../ci/runners/operations.js'
import { runnerSideOperations } from '../../ci/runners/runner-operations.js'
import { findRunnerByToken } from '../../ci/runners/store.js'
import { pipelineScheduleOperations } from '../../ci/schedules/operations.js'
import { secureFileOperations } from '../../ci/secure-files/operations.js'
import { siteOperations } from '../../ci/sites/operations.js'
import { terminalOperations } from '../../ci/terminals/operations.js'
import { findWanted } from '../../ci/terminals/store.js'
import { TICKET_LIFE } from '../../ci/terminals/ticket-life.js'
import { testCaseOperations } from '../../ci/test-cases/operations.js'
import { triggerOperations } from '../../ci/triggers/operations.js'
import { variableOperations } from '../../ci/variables/operations.js'
import type { Database } from '../../database/connect.js'
import { levelOf } from '../../http/handle-operation.js'
import type { Operation } from '../../http/operation.js'
import { emitFeatureFlagEvent } from '../../integrations/webhooks/outbox/emit-feature-flag-event.js'
import type { OperationListDeps } from '../operation-list-deps.js'
import { mayInProject } from '../services/may-in-project.js'
import type { Services } from '../services/services.js'

/** Runners, jobs and their files, pipelines and what starts them, variables, environments and deployments. */
export function listCiOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, secrets, engine, artifacts, repositories } = services
  const { externalUrl, findUser } = deps
  const forPeople = { database, secrets, externalUrl, findUser }
  const jobs = jobRecords({ database, repositories, artifacts, externalUrl })
  return [
    ...variableOperations(forPeople),
    ...listJobOperations(services, deps),
    ...triggerOperations(forPeople),
    ...pipelineScheduleOperations({
      engine,
      externalUrl,
      onScheduled: (at) => services.pipelineSchedule.schedule(at),
    }),
    ...commitStatusOperations({ engine, externalUrl }),
    ...ciLintOperations({ engine }),
    ...testCaseOperations({ database }),
    ...freezePeriodOperations({ database }),
    ...featureFlagOperations({ database, secrets, externalUrl, onSwitched: emitFeatureFlagEvent }),
    ...siteOperations({
      database,
      blobs: services.blobs,
      origins: services.siteOrigins,
    }),
    ...secureFileOperations({ database, secrets, blobs: services.blobs }),
    ...resourceGroupOperations({ engine, jobs }),
    ...environmentOperations({
      engine,
      describeDeployments: (rows) => describeDeployments({ database, jobs, externalUrl }, rows),
      jobSchema: jobs.schema,
    }),
    ...deploymentOperations({ engine, jobs, externalUrl }),
    ...protectedEnvironmentOperations({ database }),
  ]
}

/** Runners, jobs and their files, and pipelines: for people and for runners. */
function listJobOperations(services: Services, deps: OperationListDeps): Operation[] {
  const { database, secrets, engine, artifacts, traces, traceIndexes, traceReaders, settings } = services
  const { externalUrl, findProject, stopping } = deps
  const { longPollSeconds } = settings
  const expireSeconds = () => services.instanceSettings.artifactsExpireSeconds()
  const contacts = new RunnerContacts(database, Date.now, (id) => services.live.changed({ runners: [id] }))
  const forJobs = {
    engine,
    artifacts,
    traces,
    traceIndexes,
    traceReaders,
    externalUrl,
    runnerFor: (user: User, runnerId: number) => runnerJobsFor(database, user, runnerId),
    maySee: mayInProject(database),
  }
  const forHolds = {
    engine,
    watches: services.watches,
    onChanged: (id: number) => services.live.changed({ jobs: [id] }),
  }
  const findTerminals = (jobId: number, now: number) => findWanted(database, jobId, now - TICKET_LIFE)
  return [
    ...holdOperations(forHolds),
    ...terminalOperations({ ...forHolds, areEnabled: () => services.instanceSettings.allowsJobShells }),
    ...runnerHoldOperations({
      ...forHolds,
      longPollSeconds,
      stopping,
      findTerminals,
    }),
    ...runnerOperations({
      database,
      secrets,
      externalUrl,
      levelOf: (user, project) => levelOf(deps, user, project),
      ownedGroup: (idOrPath, user) => ownedGroup(database, idOrPath, user),
    }),
    ...runnerStatisticsOperations({ database, externalUrl }),
    ...runnerSideOperations({ database, secrets, contacts }),
    ...pipelineOperations({ ...forJobs, findProject }),
    ...jobOperations(
      { ...forJobs, tokens: services.tokens, caches: services.caches },
      { secrets, artifactsUrl: services.siteOrigins.artifactsUrl },
    ),
    ...cacheOperations({ database, caches: services.caches }),
    ...projectCacheOperations({ database, caches: services.caches }),
    ...uploadOperations({
      database,
      artifacts,
      uploads: services.uploads,
      expireSeconds,
    }),
    ...jobRunnerOperations({
      ...forJobs,
      server: engine.server,
      runners: runnerDirectory(database, contacts),
      tokens: services.tokens,
      watches: services.watches,
      reportingJobs: services.reportingJobs,
      stopping,
      findTerminals,
      longPollSeconds,
      expireSeconds,
      spool: services.spool,
    }),
  ]
}

function runnerDirectory(database: Database, contacts: RunnerContacts): RunnerDirectory {
  return {
    findByToken: (token) => findRunnerByToken(database, token),
    recordContact: (contact) => contacts.record(contact),
    featuresOf: (runnerId, systemId) => contacts.featuresOf(runnerId, systemId),
  }
}
