import type { Kysely } from 'kysely'

import type { DialectName } from '../../connect.js'
import { columnTypes } from '../column-types.js'
import { executeStatements } from '../execute-statements.js'
import { auditEvents } from './accounts/audit-events.js'
import { credentials } from './accounts/credentials.js'
import { groups } from './accounts/groups.js'
import { members } from './accounts/members.js'
import { oauth } from './accounts/oauth.js'
import { preferences } from './accounts/preferences.js'
import { users } from './accounts/users.js'
import { commitStatuses } from './ci/commit-statuses.js'
import { deployments } from './ci/deployments.js'
import { downstream } from './ci/downstream.js'
import { environments } from './ci/environments.js'
import { featureFlags } from './ci/feature-flags.js'
import { files } from './ci/files.js'
import { jobs } from './ci/jobs.js'
import { pipelines } from './ci/pipelines.js'
import { queue } from './ci/queue.js'
import { runners } from './ci/runners.js'
import { schedules } from './ci/schedules.js'
import { testReports } from './ci/test-reports.js'
import { variables } from './ci/variables.js'
import { deployAccess } from './hosting/deploy-access.js'
import { mirrors } from './hosting/mirrors.js'
import { projectArchives } from './hosting/project-archives.js'
import { projectStatistics } from './hosting/project-statistics.js'
import { projects } from './hosting/projects.js'
import { releases } from './hosting/releases.js'
import { repositories } from './hosting/repositories.js'
import { wikis } from './hosting/wikis.js'
import { settings } from './instance/settings.js'
import { activity } from './integrations/activity.js'
import { chat } from './integrations/chat.js'
import { mails } from './integrations/mails.js'
import { services } from './integrations/services.js'
import { webhooks } from './integrations/webhooks.js'
import { issues } from './planning/issues.js'
import { labels } from './planning/labels.js'
import { mergeRequestWork } from './planning/merge-request-work.js'
import { mergeRequests } from './planning/merge-requests.js'
import { milestones } from './planning/milestones.js'
import { notes } from './planning/notes.js'
import { resourceEvents } from './planning/resource-events.js'
import { todos } from './planning/todos.js'
import { createInPostgres } from './postgres.js'
import { sqlite } from './sqlite.js'

/** A table comes after those to which it refers. */
const PARTS = [
  settings,
  users,
  credentials,
  oauth,
  groups,
  auditEvents,
  projects,
  projectStatistics,
  projectArchives,
  members,
  preferences,
  repositories,
  deployAccess,
  mirrors,
  wikis,
  labels,
  milestones,
  releases,
  issues,
  mergeRequests,
  mergeRequestWork,
  notes,
  todos,
  resourceEvents,
  variables,
  runners,
  schedules,
  pipelines,
  environments,
  jobs,
  queue,
  deployments,
  downstream,
  commitStatuses,
  files,
  testReports,
  featureFlags,
  services,
  webhooks,
  chat,
  mails,
  activity,
]

/** The schema of 1.0.0. */
export async function up(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  const types = columnTypes(dialect)
  for (const part of PARTS) await executeStatements(db, part(types))
  await (dialect === 'sqlite' ? executeStatements(db, sqlite()) : createInPostgres(db))
}
