import { removeOlderIn } from '../../lib/files.js'
import { removeAuditEventsBefore, settleIntents } from '../accounts/audit-events/store.js'
import { finishGroupRemovals } from '../accounts/groups/remove-group.js'
import { removeExpiredMembers } from '../accounts/members/remove-expired-members.js'
import { removeExpiredGrants } from '../accounts/oauth/remove-expired.js'
import { finishRemovals } from '../accounts/users/removal/remove-user.js'
import type { Duty } from '../background/periodic-task.js'
import { followVanished } from '../ci/engine/downstream/follow-deleted.js'
import { failOverdueJobs } from '../ci/engine/finish/fail-overdue-jobs.js'
import { failStuckJobs } from '../ci/engine/finish/fail-stuck-jobs.js'
import { loseJob } from '../ci/engine/finish/lose-job.js'
import { deletedPipelines } from '../ci/engine/pipeline-store.js'
import { unlockDeletedRefs } from '../ci/engine/reports/unlock-deleted-refs.js'
import { cancelWorkInMarkedProjects } from '../ci/engine/retry/cancel-work-of.js'
import { expireLeases } from '../ci/queue/expire-leases.js'
import { presenceInterval } from '../ci/queue/presence.js'
import { removeExpiredArtifacts } from '../ci/storage/artifacts/remove-expired.js'
import { removeUnusedCaches } from '../ci/storage/caches/evict-caches.js'
import { removeFilesOfDeletedJobs } from '../ci/storage/removed-jobs.js'
import { deleteUnusedKeys } from '../hosting/deploy-keys/store.js'
import {
  type MarkedProjectDeps,
  removeMarkedProjects,
} from '../hosting/projects/deletion/remove-marked-projects.js'
import { removeFilesOfDeletedProjects } from '../hosting/projects/deletion/removed-projects.js'
import { KEPT_FOR, removeOldExports } from '../hosting/projects/export/remove-old-exports.js'
import { measureChangedProjects } from '../hosting/projects/measure/measure-changed.js'
import { finishInterruptedPushes } from '../hosting/repositories/push/finish-interrupted-pushes.js'
import type { PushDeps } from '../hosting/repositories/push/handle-push.js'
import { deleteReplacementRefs } from '../hosting/repositories/upkeep/delete-replacement-refs.js'
import { makeMissingRepositories } from '../hosting/repositories/upkeep/make-missing-repositories.js'
import { type TendingDeps, tendRepositories } from '../hosting/repositories/upkeep/tend-repositories.js'
import { forgetAttemptsBefore } from '../http/rate-limits/shared-counts.js'
import {
  ACTIVITY_KEPT_FOR,
  forgetActivityBefore,
} from '../integrations/activity-events/delete-old-activity.js'
import { forgetDeliveries } from '../integrations/webhooks/deliveries/forget-deliveries.js'
import { accountDeps } from './account-deps.js'
import type { CoordinatorSettings } from './config/settings.js'
import { projectRemoval, removedProjectDeps, removeGroupDeps } from './project-deps.js'
import { RELOAD_SECONDS } from './rotate-secret-key.js'
import { type Parts, transferFolder } from './services.js'

const DAY = 24 * 3600 * 1000
/** No request of a person takes as long. */
const HOUR = 3600 * 1000

/** What is done again and again; several coordinators on one store may do it at once. */
export function listDuties(parts: Parts, pushes: PushDeps): Duty[] {
  const { database, blobs, uploads, spool, engine, settings } = parts
  const onExpired = (jobId: number) => loseJob(engine, jobId)
  return [
    {
      name: 'expire-leases',
      every: presenceInterval(engine.lease),
      turn: () => expireLeases({ ...engine, onExpired }),
    },
    { name: 'fail-overdue-jobs', every: 30, turn: () => failOverdueJobs(engine) },
    { name: 'follow-vanished-pipelines', every: 60, turn: () => followVanished(engine) },
    { name: 'fail-stuck-jobs', every: 600, turn: () => failStuckJobs(engine) },
    {
      name: 'make-missing-repositories',
      every: 300,
      turn: (signal) => makeMissingRepositories(parts, signal),
    },
    { name: 'finish-interrupted-pushes', every: 60, turn: () => finishInterruptedPushes(pushes) },
    {
      name: 'tend-repositories',
      every: 3600,
      turn: (signal) => tendRepositories(tendingDeps(parts), signal),
    },
    {
      name: 'delete-replacement-refs',
      every: 24 * 3600,
      turn: (signal) => deleteReplacementRefs(parts, signal),
    },
    { name: 'delete-unused-deploy-keys', every: 3600, turn: () => deleteUnusedKeys(database) },
    {
      name: 'remove-files-of-deleted-jobs',
      every: 300,
      turn: () => removeFilesOfDeletedJobs(parts),
    },
    {
      name: 'remove-files-of-deleted-projects',
      every: 300,
      turn: () => removeFilesOfDeletedProjects(removedProjectDeps(parts)),
    },
    {
      name: 'remove-marked-projects',
      every: 300,
      turn: (signal) => removeMarkedProjects(markedProjectDeps(parts), daysAgo(settings), signal),
    },
    { name: 'cancel-work-in-marked-projects', every: 300, turn: () => cancelWorkInMarkedProjects(engine) },
    { name: 'measure-repositories', every: 3600, turn: (signal) => measureChangedProjects(parts, signal) },
    {
      name: 'remove-expired-artifacts',
      every: 300,
      turn: async () => {
        await unlockDeletedRefs(engine)
        await removeExpiredArtifacts(database, blobs)
      },
    },
    {
      name: 'remove-unused-caches',
      every: 300,
      turn: () => removeUnusedCaches(database, blobs, Date.now() - settings.caches.unusedSeconds * 1000),
    },
    { name: 'forget-deliveries', every: 3600, turn: () => forgetDeliveries(database) },
    {
      name: 'forget-activity',
      every: 3600,
      turn: (signal) => forgetActivityBefore(database, Date.now() - ACTIVITY_KEPT_FOR, signal),
    },
    { name: 'remove-expired-members', every: 300, turn: () => removeExpiredMembers(database) },
    { name: 'remove-users', every: 60, turn: () => finishRemovals(accountDeps(parts)) },
    { name: 'count-fetches', every: 30, turn: () => parts.fetchCounts.write() },
    { name: 'note-uses-of-tokens', every: 30, turn: () => parts.tokenUses.write() },
    { name: 'read-secret-keys', every: RELOAD_SECONDS, turn: async () => parts.secrets.reload() },
    { name: 'note-sign-ins', every: 30, turn: () => parts.signIns.write() },
    { name: 'finish-group-removals', every: 300, turn: () => finishGroupRemovals(removeGroupDeps(parts)) },
    { name: 'remove-expired-grants', every: 3600, turn: () => removeExpiredGrants(database) },
    { name: 'forget-failed-attempts', every: 3600, turn: () => forgetAttemptsBefore(database, Date.now()) },
    { name: 'settle-audit-trail', every: 300, turn: () => settleIntents(database, Date.now() - HOUR) },
    { name: 'remove-abandoned-blobs', every: 3600, turn: () => blobs.removeAbandoned(dayAgo()) },
    { name: 'remove-abandoned-uploads', every: 3600, turn: () => uploads.removeAbandoned(dayAgo()) },
    ...(settings.auditDays > 0
      ? [
          {
            name: 'remove-old-audit-events',
            every: 3600,
            turn: () => removeAuditEventsBefore(database, Date.now() - settings.auditDays * DAY),
          },
        ]
      : []),
    {
      name: 'remove-old-exports',
      every: 3600,
      turn: () => removeOldExports(database, blobs, Date.now() - KEPT_FOR),
    },
    {
      name: 'remove-abandoned-transfers',
      every: 3600,
      turn: () => removeOlderIn(transferFolder(settings), dayAgo()),
    },
    { name: 'remove-abandoned-files', every: 3600, turn: () => spool.removeAbandoned(dayAgo()) },
  ]
}

/** When projects were marked whose days are over. */
function daysAgo({ deletionAdjournedPeriod }: CoordinatorSettings): number {
  return Date.now() - deletionAdjournedPeriod * DAY
}

function markedProjectDeps(parts: Parts): MarkedProjectDeps {
  const { database, logger } = parts
  return { database, logger, ...projectRemoval(parts) }
}

/** No upload lasts this long. */
function dayAgo(): Date {
  return new Date(Date.now() - DAY)
}

function tendingDeps({ database, repositories, logger }: Parts): TendingDeps {
  const deleted = (projectId: number, ids: number[]) => deletedPipelines(database, projectId, ids)
  return { database, repositories, logger, deletedPipelines: deleted }
}
