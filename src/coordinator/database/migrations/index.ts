import type { Kysely } from 'kysely'

import type { DialectName } from '../connect.js'
import { BASELINE } from '../released-schema.js'
import * as baseline from './0001-baseline/index.js'
import * as draftNotes from './0002-draft-notes.js'
import * as statusChecks from './0003-status-checks.js'
import * as contextCommits from './0004-context-commits.js'
import * as boards from './0005-boards.js'
import * as epicIssues from './0006-epic-issues.js'
import * as approvalRules from './0007-approval-rules.js'
import * as mergeTrains from './0008-merge-trains.js'
import * as broadcastMessages from './0009-broadcast-messages.js'
import * as topics from './0010-topics.js'
import * as groupWikis from './0011-group-wikis.js'
import * as viewedFiles from './0012-viewed-files.js'
import * as scriptSteps from './0013-script-steps.js'
import * as siteDeployments from './0014-site-deployments.js'
import * as jobHolds from './0015-job-holds.js'
import * as signedStatusChecks from './0016-signed-status-checks.js'
import * as shells from './0017-shells.js'
import * as siteAccess from './0018-site-access.js'
import * as runnerSessions from './0019-runner-sessions.js'
import * as limitsAndVisits from './0020-limits-and-visits.js'
import * as identityProviders from './0021-identity-providers.js'
import * as secondFactors from './0022-second-factors.js'
import * as directories from './0023-directories.js'
import * as provenSignIns from './0024-proven-sign-ins.js'
import * as scim from './0025-scim.js'
import * as bulkImports from './0026-bulk-imports.js'

interface DialectMigration {
  up(db: Kysely<unknown>, dialect: DialectName): Promise<void>
}

/** All migrations in order. Never edit one of a release: add a new one. */
export const migrations: Record<string, DialectMigration> = {
  [BASELINE]: baseline,
  '0002-draft-notes': draftNotes,
  '0003-status-checks': statusChecks,
  '0004-context-commits': contextCommits,
  '0005-boards': boards,
  '0006-epic-issues': epicIssues,
  '0007-approval-rules': approvalRules,
  '0008-merge-trains': mergeTrains,
  '0009-broadcast-messages': broadcastMessages,
  '0010-topics': topics,
  '0011-group-wikis': groupWikis,
  '0012-viewed-files': viewedFiles,
  '0013-script-steps': scriptSteps,
  '0014-site-deployments': siteDeployments,
  '0015-job-holds': jobHolds,
  '0016-signed-status-checks': signedStatusChecks,
  '0017-shells': shells,
  '0018-site-access': siteAccess,
  '0019-runner-sessions': runnerSessions,
  '0020-limits-and-visits': limitsAndVisits,
  '0021-identity-providers': identityProviders,
  '0022-second-factors': secondFactors,
  '0023-directories': directories,
  '0024-proven-sign-ins': provenSignIns,
  '0025-scim': scim,
  '0026-bulk-imports': bulkImports,
}
