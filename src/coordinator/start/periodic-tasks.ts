import { removeOlderIn, removeUnfinished } from '../../lib/files.js'
import { DAY, HOUR } from '../../lib/time-units.js'
import { deleteUnusedDynamicApplications } from '../accounts/applications/store.js'
import { deleteAuditEventsBefore, insertAuditEvent, resolveIntents } from '../accounts/audit-events/store.js'
import { finishGroupDeletions } from '../accounts/groups/delete-group.js'
import { deleteExpiredMembers } from '../accounts/members/delete-expired-members.js'
import { deleteExpiredGrants } from '../accounts/oauth/delete-expired.js'
import { applyDemands } from '../accounts/two-factor/demand.js'
import { deleteChallengesBefore } from '../accounts/two-factor/store.js'
import { finishUserDeletions } from '../accounts/users/deletion/delete-user.js'
import { mailEndingOfKeys } from '../accounts/users/keys/mail-ending.js'
import { deleteExpiredLinks } from '../accounts/users/links/store.js'
import { mailEndingOfTokens } from '../accounts/users/tokens/mail-ending.js'
import type { PeriodicTask } from '../background/periodic-task.js'
import { followVanished } from '../ci/engine/downstream/follow-deleted.js'
import { expireLease, expireLeases } from '../ci/engine/finish/expire-leases.js'
import { failOverdueJobs } from '../ci/engine/finish/fail-overdue-jobs.js'
import { failStuckJobs } from '../ci/engine/finish/fail-stuck-jobs.js'
import { deletedPipelines } from '../ci/engine/pipeline-store.js'
import { unlockDeletedRefs } from '../ci/engine/reports/unlock-deleted-refs.js'
import { cancelWorkInMarkedProjects } from '../ci/engine/retry/cancel-work-of.js'
import { storeFinishedLogs } from '../ci/jobs/store-finished-logs.js'
import { deleteBeyondStorage, type StorageDeps } from '../ci/pipelines/retention/delete-beyond-storage.js'
import { deleteOldLogs } from '../ci/pipelines/retention/delete-old-logs.js'
import { deleteOldPipelines } from '../ci/pipelines/retention/delete-old-pipelines.js'
import { presenceInterval } from '../ci/queue/presence.js'
import { rollUpWaits } from '../ci/queue/wait-statistics/roll-up.js'
import { sampleRunnerUse } from '../ci/queue/wait-statistics/sample-use.js'
import { deleteExpiredArtifacts } from '../ci/storage/artifacts/delete-expired.js'
import { deleteTestFailuresBefore, FAILURES_KEPT_FOR } from '../ci/storage/artifacts/test-history.js'
import { evictUnusedCaches } from '../ci/storage/caches/evict-caches.js'
import { deleteFilesOfDeletedJobs } from '../ci/storage/deleted-jobs.js'
import { deleteOrphansWhenDue, type OrphanDeps } from '../ci/storage/orphans/delete-orphans.js'
import { storageOwner } from '../ci/storage/orphans/storage-owner.js'
import { LOST_AFTER } from '../ci/terminals/lost-after.js'
import { endLostTerminals } from '../ci/terminals/store.js'
import { recordLost } from '../ci/terminals/visits.js'
import { deleteSessionsEndedBefore } from '../database/stores/web-session-store.js'
import { inTransaction } from '../database/transaction.js'
import { deleteUnusedKeys } from '../hosting/deploy-keys/store.js'
import { deleteFilesOfDeletedProjects } from '../hosting/projects/deleted-projects.js'
import {
  deleteMarkedProjects,
  type MarkedProjectDeps,
} from '../hosting/projects/deletion/delete-marked-projects.js'
import { finishProjectDeletions } from '../hosting/projects/deletion/delete-project.js'
import { deleteOldExports, KEPT_FOR } from '../hosting/projects/export/delete-old-exports.js'
import { updateChangedProjects } from '../hosting/projects/statistics/update-changed-projects.js'
import { updateStorageSizes } from '../hosting/projects/statistics/update-storage-sizes.js'
import { collectDueEvidence } from '../hosting/release-evidence.js'
import { createMissingRepositories } from '../hosting/repositories/housekeeping/create-missing-repositories.js'
import { deleteReplacementRefs } from '../hosting/repositories/housekeeping/delete-replacement-refs.js'
import {
  type HousekeepingDeps,
  runHousekeeping,
} from '../hosting/repositories/housekeeping/run-housekeeping.js'
import { finishInterruptedPushes } from '../hosting/repositories/push/finish-interrupted-pushes.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { deleteOrphanedSnippets } from '../hosting/snippets/delete-orphans.js'
import { addMissingTopics } from '../hosting/topic-store.js'
import { deleteOrphanedGroupWikis, deleteOrphanedWikis } from '../hosting/wikis/delete-orphans.js'
import { listGroupWikis } from '../hosting/wikis/group-wiki-store.js'
import { listWikis } from '../hosting/wikis/store.js'
import { deleteAttemptsBefore } from '../http/rate-limits/shared-counts.js'
import { isInCharge, listCoordinators, RECORD_SECONDS } from '../instance/overview/coordinators.js'
import { measureStorage } from '../instance/overview/storage-sizes.js'
import { deleteActivityBefore } from '../integrations/activity-events/delete-old-activity.js'
import { deleteOldDeliveries } from '../integrations/webhooks/deliveries/delete-old-deliveries.js'
import { finishInterruptedMerges } from '../planning/merge-requests/merge/finish-interrupted-merges.js'
import { noticeDueIssues } from '../planning/notifications/notice-due-issues.js'
import { wakeAllTrains } from '../planning/stores/merge-train-store.js'
import { indexDueTexts } from '../planning/stores/text-index-store.js'
import { finishGroupChanges } from '../scim/groups/apply-changes.js'
import { deleteProvenSignInsBefore } from '../sessions/providers/saml/proven-sign-ins.js'
import { type SyncDeps, syncDirectories } from '../sessions/providers/sync-directories.js'
import { deleteUsedTokensBefore } from '../sessions/providers/used-tokens.js'
import { accountDeps } from './account-deps.js'
import { deleteGroupDeps } from './project-deps.js'
import { RELOAD_SECONDS } from './rotate-secret-key.js'
import { transferFolder } from './services/hosting.js'
import { deletedProjectDeps, projectDeletion } from './services/project-deletion.js'
import { measureDue } from './services/retention-metrics.js'
import type { Services } from './services/services.js'

/** Time after which the intent of a request is stale, in milliseconds: longer than any request takes. */
const STALE_INTENT = HOUR

/** All periodic tasks; several coordinators on one store may run them concurrently. */
export function listPeriodicTasks(services: Services, pushes: PushDeps): PeriodicTask[] {
  const { database, blobs, uploads, spool, engine, settings, storedLogs } = services
  const onExpired = (jobId: number) => expireLease(engine, jobId)
  return [
    {
      name: 'expire-leases',
      every: presenceInterval(engine.lease),
      run: () => expireLeases({ ...engine, onExpired }),
    },
    { name: 'fail-overdue-jobs', every: 30, run: () => failOverdueJobs(engine) },
    { name: 'follow-vanished-pipelines', every: 60, run: () => followVanished(engine) },
    {
      name: 'end-lost-terminals',
      every: 60,
      run: async () => {
        const seenSince = Date.now() - LOST_AFTER
        await endLostTerminals(database, seenSince, Date.now())
        await recordLost(database, insertAuditEvent, seenSince)
      },
    },
    { name: 'fail-stuck-jobs', every: 600, run: () => failStuckJobs(engine) },
    {
      name: 'create-missing-repositories',
      every: 300,
      run: (signal) => createMissingRepositories(services, signal),
    },
    { name: 'finish-interrupted-pushes', every: 60, run: () => finishInterruptedPushes(pushes) },
    { name: 'finish-interrupted-merges', every: 60, run: () => finishInterruptedMerges(pushes) },
    { name: 'wake-merge-trains', every: 60, run: () => inTransaction(services.database, wakeAllTrains) },
    {
      name: 'run-housekeeping',
      every: 3600,
      run: (signal) => runHousekeeping(housekeepingDeps(services), signal),
    },
    {
      name: 'run-housekeeping-of-wikis',
      every: 3600,
      run: (signal) => runHousekeeping(wikiHousekeepingDeps(services), signal),
    },
    {
      name: 'run-housekeeping-of-group-wikis',
      every: 3600,
      run: (signal) => runHousekeeping(groupWikiHousekeepingDeps(services), signal),
    },
    {
      name: 'delete-replacement-refs',
      every: 24 * 3600,
      run: (signal) => deleteReplacementRefs(services, signal),
    },
    { name: 'delete-orphaned-snippets', every: 3600, run: () => deleteOrphanedSnippets(services) },
    { name: 'delete-orphaned-wikis', every: 3600, run: () => deleteOrphanedWikis(services) },
    { name: 'delete-orphaned-group-wikis', every: 3600, run: () => deleteOrphanedGroupWikis(services) },
    { name: 'add-missing-topics', every: 3600, run: () => addMissingTopics(database) },
    { name: 'delete-unused-deploy-keys', every: 3600, run: () => deleteUnusedKeys(database) },
    {
      name: 'remove-files-of-deleted-jobs',
      every: 300,
      run: () => deleteFilesOfDeletedJobs(services),
    },
    {
      name: 'remove-files-of-deleted-projects',
      every: 300,
      run: () => deleteFilesOfDeletedProjects(deletedProjectDeps(services)),
    },
    {
      name: 'remove-marked-projects',
      every: 300,
      run: async (signal) =>
        deleteMarkedProjects(markedProjectDeps(services), await deletedBefore(services), signal),
    },
    {
      name: 'finish-project-deletions',
      every: 60,
      run: () => finishProjectDeletions(markedProjectDeps(services)),
    },
    { name: 'cancel-work-in-marked-projects', every: 300, run: () => cancelWorkInMarkedProjects(engine) },
    { name: 'update-storage-sizes', every: 1800, run: (signal) => updateStorageSizes(database, signal) },
    { name: 'update-statistics', every: 3600, run: (signal) => updateChangedProjects(services, signal) },
    {
      name: 'remove-expired-artifacts',
      every: 300,
      run: async () => {
        await unlockDeletedRefs(engine)
        await deleteExpiredArtifacts(database, blobs)
      },
    },
    {
      name: 'delete-old-test-failures',
      every: 3600,
      run: () => deleteTestFailuresBefore(database, Date.now() - FAILURES_KEPT_FOR),
    },
    {
      name: 'remove-unused-caches',
      every: 300,
      run: () => evictUnusedCaches(database, blobs, Date.now() - settings.caches.unusedSeconds * 1000),
    },
    {
      name: 'collect-release-evidence',
      every: 60,
      run: () => collectDueEvidence(database, engine.server.externalUrl),
    },
    { name: 'index-texts', every: 5, run: (signal) => indexDueTexts(database, signal) },
    { name: 'delete-old-deliveries', every: 3600, run: () => deleteOldDeliveries(database) },
    {
      name: 'delete-old-activity',
      every: 3600,
      run: async (signal) => {
        const before = Date.now() - settings.retention.activityDays * DAY
        const number = await deleteActivityBefore(database, before, signal)
        services.onRetired({ kind: 'activity_events', number })
      },
    },
    { name: 'delete-old-pipelines', every: 600, run: (signal) => deleteOldWork(services, signal) },
    {
      name: 'delete-beyond-storage',
      every: 3600,
      run: (signal) => deleteBeyondStorage(retentionDeps(services), settings.retention, signal),
    },
    {
      name: 'measure-due',
      every: 3600,
      run: async (signal) => {
        if (await retentionDeps(services).mayGoOn()) await measureDue(database, settings.retention, signal)
      },
    },
    { name: 'count-removals', every: 30, run: () => services.removals.write() },
    { name: 'remove-expired-members', every: 300, run: () => deleteExpiredMembers(database) },
    { name: 'remove-users', every: 60, run: () => finishUserDeletions(accountDeps(services)) },
    { name: 'count-fetches', every: 30, run: () => services.fetchCounts.write() },
    {
      name: 'record-coordinator',
      every: RECORD_SECONDS,
      run: () => services.coordinatorRecord.write(),
    },
    { name: 'measure-storage', every: 3600, run: (signal) => measureStorage(database, signal) },
    { name: 'count-waits', every: 30, run: () => services.waits.write() },
    { name: 'sample-runner-use', every: 30, run: () => sampleRunnerUse(database) },
    { name: 'roll-up-waits', every: 3600, run: (signal) => rollUpWaits(database, signal) },
    { name: 'note-uses-of-tokens', every: 30, run: () => services.tokenUses.write() },
    { name: 'read-secret-keys', every: RELOAD_SECONDS, run: async () => services.secrets.reload() },
    { name: 'note-sign-ins', every: 30, run: () => services.signIns.write() },
    { name: 'finish-group-removals', every: 300, run: () => finishGroupDeletions(deleteGroupDeps(services)) },
    { name: 'notice-due-issues', every: 3600, run: () => noticeDueIssues(database) },
    { name: 'mail-ending-of-keys', every: 3600, run: () => mailEndingOfKeys(database) },
    { name: 'mail-ending-of-tokens', every: 3600, run: () => mailEndingOfTokens(database) },
    { name: 'delete-expired-account-links', every: 3600, run: () => deleteExpiredLinks(database) },
    { name: 'remove-expired-grants', every: 3600, run: () => deleteExpiredGrants(database) },
    {
      name: 'remove-unused-applications',
      every: 3600,
      run: () => deleteUnusedDynamicApplications(database),
    },
    {
      name: 'delete-ended-sessions',
      every: 3600,
      run: () => deleteSessionsEndedBefore(database, Date.now()),
    },
    {
      name: 'delete-used-sign-in-tokens',
      every: 3600,
      run: () => deleteUsedTokensBefore(database, Date.now()),
    },
    {
      name: 'delete-proven-sign-ins',
      every: 3600,
      run: () => deleteProvenSignInsBefore(database, Date.now()),
    },
    { name: 'finish-scim-group-changes', every: 60, run: (signal) => finishGroupChanges(services, signal) },
    {
      name: 'sync-directories',
      every: 3600,
      run: (signal) => syncDirectories(syncDeps(services), signal),
    },
    { name: 'apply-two-factor-demands', every: 300, run: () => applyDemands(database) },
    { name: 'delete-ended-challenges', every: 3600, run: () => deleteChallengesBefore(database, Date.now()) },
    { name: 'delete-old-attempts', every: 3600, run: () => deleteAttemptsBefore(database, Date.now()) },
    {
      name: 'settle-audit-trail',
      every: 300,
      run: () => resolveIntents(database, Date.now() - STALE_INTENT),
    },
    ...(settings.storage.location.kind === 's3'
      ? [
          {
            name: 'store-finished-logs',
            every: 60,
            run: (signal: AbortSignal) => storeFinishedLogs(services, signal),
          },
        ]
      : []),
    { name: 'delete-old-copies-of-logs', every: 300, run: () => storedLogs.deleteOldCopies() },
    { name: 'remove-abandoned-blobs', every: 3600, run: () => blobs.deleteAbandoned(dayAgo()) },
    {
      name: 'delete-orphaned-blobs',
      every: 300,
      run: async (signal) => deleteOrphansWhenDue(await orphanDeps(services), signal),
    },
    { name: 'remove-abandoned-uploads', every: 3600, run: () => uploads.deleteAbandoned(dayAgo()) },
    ...(settings.auditDays > 0
      ? [
          {
            name: 'remove-old-audit-events',
            every: 3600,
            run: () => deleteAuditEventsBefore(database, Date.now() - settings.auditDays * DAY),
          },
        ]
      : []),
    {
      name: 'remove-old-exports',
      every: 3600,
      run: () => deleteOldExports(database, blobs, Date.now() - KEPT_FOR),
    },
    {
      name: 'remove-abandoned-transfers',
      every: 3600,
      run: () => removeOlderIn(transferFolder(settings), dayAgo()),
    },
    { name: 'remove-abandoned-files', every: 3600, run: () => spool.deleteAbandoned(dayAgo()) },
    { name: 'remove-unfinished-files', every: 3600, run: () => removeUnfinishedFiles(settings) },
  ]
}

function syncDeps(services: Services): SyncDeps {
  const { database, providers, logger } = services
  return {
    database,
    providers,
    logger,
    storeAuditEvent: insertAuditEvent,
    onShutOut: accountDeps(services).onShutOut,
    mayGoOn: () => inCharge(services),
  }
}

async function deleteOldWork(services: Services, signal: AbortSignal): Promise<void> {
  const deps = retentionDeps(services)
  await deleteOldPipelines(deps, services.settings.retention, signal)
  await deleteOldLogs(deps, services.settings.retention, signal)
}

function retentionDeps(services: Services): StorageDeps {
  return { ...services, mayGoOn: () => inCharge(services) }
}

async function orphanDeps(services: Services): Promise<OrphanDeps> {
  const owner = await storageOwner(services.settings.sharedDir)
  return { ...services, owner, onDeleted: services.onOrphanDeleted, mayGoOn: () => inCharge(services) }
}

async function inCharge({ database, coordinatorRecord }: Services): Promise<boolean> {
  await coordinatorRecord.ensure()
  return isInCharge(await listCoordinators(database), coordinatorRecord.id, Date.now())
}

/** The deletion time before which marked projects are due. */
async function deletedBefore({ instanceSettings }: Services): Promise<number> {
  return Date.now() - (await instanceSettings.deletionAdjournedPeriod()) * DAY
}

function markedProjectDeps(services: Services): MarkedProjectDeps {
  const { database, logger } = services
  return { database, logger, ...projectDeletion(services) }
}

async function removeUnfinishedFiles({ dataDir, sharedDir }: Services['settings']): Promise<void> {
  for (const folder of new Set([dataDir, sharedDir])) await removeUnfinished(folder, dayAgo())
}

/** No upload lasts this long. */
function dayAgo(): Date {
  return new Date(Date.now() - DAY)
}

function housekeepingDeps({ database, repositories, logger }: Services): HousekeepingDeps {
  const deleted = (projectId: number, ids: number[]) => deletedPipelines(database, projectId, ids)
  return { database, repositories, logger, deletedPipelines: deleted }
}

/** Wikis have no pipelines. */
function wikiHousekeepingDeps({ database, wikiRepositories, logger }: Services): HousekeepingDeps {
  const listIds = () => listWikis(database)
  return {
    database,
    repositories: wikiRepositories,
    logger,
    listIds,
    deletedPipelines: () => Promise.resolve([]),
  }
}

function groupWikiHousekeepingDeps({ database, groupWikiRepositories, logger }: Services): HousekeepingDeps {
  const listIds = () => listGroupWikis(database)
  const deletedPipelines = () => Promise.resolve([])
  return { database, repositories: groupWikiRepositories, logger, listIds, deletedPipelines }
}
