import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { openSqlite } from '../../support/databases.js'

const ROOT = new URL('../../../', import.meta.url)

const HERE = 'test/coordinator/intentions'

/** Files of tests that change something between what a user allows or schedules and what the server does. */
const FILES = {
  giver: `${HERE}/giver.test.ts`,
  merge: `${HERE}/auto-merge.test.ts`,
  train: 'test/coordinator/planning/merge-requests/trains/merge-train.test.ts',
  approval: `${HERE}/approvals.test.ts`,
  branch: `${HERE}/source-branches.test.ts`,
  kept: 'test/coordinator/planning/merge-requests/merge/merge-operations.test.ts',
  deployment: 'test/security/acting-as-another-user/protected-environments.test.ts',
  stop: 'test/security/acting-as-another-user/stop-jobs.test.ts',
  schedule: 'test/coordinator/ci/schedules/run-due-schedules.test.ts',
  dispatch: 'test/coordinator/ci/engine/dispatch/dispatch-job.test.ts',
  delayed: 'test/coordinator/ci/engine/advance/delayed.test.ts',
  deletion: 'test/coordinator/hosting/projects/adjourned-deletion.test.ts',
  mirror: 'test/coordinator/hosting/mirrors/remote-mirrors.test.ts',
  pullMirror: 'test/coordinator/hosting/pull-mirrors/pull-mirrors.test.ts',
  moved: 'test/security/acting-as-another-user/moved-projects.test.ts',
  fork: 'test/coordinator/hosting/projects/imports.test.ts',
  archive: 'test/coordinator/hosting/projects/archive-imports.test.ts',
  bulkImport: 'test/coordinator/bulk-imports/recorded-source.test.ts',
}

/** Changes between the moment when an intention is stored and the moment when it is carried out. */
interface Cells {
  /** What it was given for: a branch, an environment, an address. */
  target: Cell
  /** The commit that it was given for. */
  head: Cell
  /** The user has lost the role. */
  rights: Cell
  /** The user was blocked or deleted. */
  user: Cell
  /** The project has left the group by which the user had the role. */
  moved: Cell
  /** A rule protects the branch or the environment. */
  protection: Cell
  /** A setting of the project or the instance was changed, or the project archived. */
  setting: Cell
}

/** The test that holds what happens then, or why it makes no difference. */
type Cell = readonly [file: keyof typeof FILES, title: string] | string

const NO_COMMIT = 'It is not about a commit.'
const NO_BRANCH = 'It is not about a branch or an environment.'

const MOVED_FORK: Cell = [
  'branch',
  'a branch of a fork is neither deleted nor pushed to once the fork has left the group by which that was allowed',
]
const WAIT: Cell = ['merge', 'an automatic merge ends with a note when what it was asked for changes']
const MERGER: Cell = [
  'merge',
  'an automatic merge is not made once its user was blocked or deleted, or has lost the right',
]
const LEFT: Cell = [
  'train',
  'a push to the target rebuilds the train, and a merge request that must not be merged leaves it',
]
const ADDER: Cell = [
  'train',
  'a merge request leaves the train once approvals are missing, or its user may not merge any more',
]
const APPROVER: Cell = ['approval', 'an approval counts as long as its user may approve']
const DELETER: Cell = [
  'branch',
  'a source branch stays once the user who wanted its deletion may not push to it any more',
]
const FORK: Cell = [
  'branch',
  'a branch of a fork is deleted and pushed to for the user who wants that, while he may push himself',
]
const DEPLOYER: Cell = ['deployment', 'an approval of a deployment counts as long as its user may approve']
const STOPPER: Cell = [
  'stop',
  'an environment whose time was set by a user who has left the project is not stopped as that user',
]
const OWNER: Cell = ['schedule', 'is deactivated when its owner $what while its file is read']
const STARTER: Cell = ['delayed', 'does not start if %s when its time has come']
const MARKER: Cell = [
  'deletion',
  'is restored when its days are over and the user who marked it may not delete it any more',
]
const PUSHER: Cell = [
  'mirror',
  'a mirror is not pushed to for a user who was blocked, deleted or demoted, or whom a setting forbids mirrors',
]
const IMPORTER: Cell = [
  'archive',
  'an import stops when its user may not create projects in the group any more',
]
const BULK_IMPORTER: Cell = [
  'bulkImport',
  'an import ends when its user was blocked, and stops filling what the user does not own any more',
]
const FORKER: Cell = ['fork', 'a fork is not filled when its user %s']
const PULLER: Cell = [
  'pullMirror',
  'a mirror takes over nothing for a user who was blocked or has lost the right to set it up',
]

/**
 * The columns with the users for whom the server acts later, and what holds that both what it was given for and the rights
 * of the user are checked when it acts.
 */
const INTENTIONS: Readonly<Record<string, Cells>> = {
  'merge_request.merge_user_id': {
    target: WAIT,
    head: [
      'merge',
      'takes its head once, and is refused if a push, another target or a block comes before its lock',
    ],
    rights: MERGER,
    user: MERGER,
    moved: [
      'merge',
      'an automatic merge is not made once its project has left the group by which its user could merge',
    ],
    protection: MERGER,
    setting: WAIT,
  },
  'merge_train_car.user_id': {
    target: WAIT,
    head: LEFT,
    rights: ADDER,
    user: ADDER,
    moved: 'It is the user of the automatic merge, whose rights are read again.',
    protection: ADDER,
    setting: ADDER,
  },
  'merge_request_approval.user_id': {
    target: ['approval', 'an approval is for one target branch'],
    head: [
      'approval',
      'an approval counts for the head that was approved, and a push at the same moment is not merged',
    ],
    rights: APPROVER,
    user: APPROVER,
    moved: APPROVER,
    protection: 'Who may approve does not depend on rules for branches.',
    setting: APPROVER,
  },
  'merge_request.remove_source_branch_by_id': {
    target: FORK,
    head: ['kept', 'a source branch that has moved since the merge is kept'],
    rights: DELETER,
    user: FORK,
    moved: MOVED_FORK,
    protection: ['branch', 'a protected source branch is kept by every merge that asks for its deletion'],
    setting: 'The wish itself is a setting of the merge request.',
  },
  'merge_request.collaboration_by_id': {
    target: FORK,
    head: 'It is about a branch, whatever its commit is.',
    rights: [
      'branch',
      'who may not push to a fork can neither let others push to its branch nor have it deleted',
    ],
    user: FORK,
    moved: MOVED_FORK,
    protection: [
      'branch',
      'a branch of a fork that is protected since is not pushed to by members of the target',
    ],
    setting: 'The permission itself is a setting of the merge request.',
  },
  'merge_request_task.user_id': {
    target: [
      'branch',
      'the author of a fork has its branch deleted, also if a maintainer of the target merges',
    ],
    head: ['kept', 'a source branch that has moved since the merge is kept'],
    rights: DELETER,
    user: FORK,
    moved: MOVED_FORK,
    protection: DELETER,
    setting: 'The merge was made with the settings of its time.',
  },
  'deployment_approval.user_id': {
    target: 'It is stored with its deployment, whose environment does not change.',
    head: 'It is stored with its deployment, whose commit does not change.',
    rights: DEPLOYER,
    user: DEPLOYER,
    moved: [
      'moved',
      'an approval of a deployment does not count once the project has left the group of its user',
    ],
    protection: ['deployment', 'a user whom no approval rule names does not approve'],
    setting: [
      'deployment',
      'the user who has triggered a deployment does not approve it, unless the project allows it',
    ],
  },
  'environment.auto_stop_user_id': {
    target: [
      'stop',
      'the time that a job of a developer has set does not stop, as the maintainer, what the protected branch deploys later',
    ],
    head: NO_COMMIT,
    rights: STOPPER,
    user: STOPPER,
    moved: ['moved', 'an environment does not stop as a user whose group the project has left'],
    protection: ['stop', 'the rights for a stop are read in the transaction that stops the environment'],
    setting: ['stop', 'the rights for a stop are read in the transaction that stops the environment'],
  },
  'pipeline_schedule.owner_id': {
    target: [
      'schedule',
      'makes no pipeline when it is changed while its file is read, but with its next run',
    ],
    head: 'It runs for the commit that its branch has at that time.',
    rights: OWNER,
    user: OWNER,
    moved: [
      'moved',
      'a schedule makes no pipeline once the project has left the group by which its owner could',
    ],
    protection: OWNER,
    setting: ['schedule', 'misses its run when the project is archived while its file is read'],
  },
  'job.user_id': {
    target: NO_BRANCH,
    head: 'A job is for one commit.',
    rights: STARTER,
    user: ['dispatch', 'fails with %s when %s'],
    moved: [
      'moved',
      'a delayed job waits once the project has left the group by which its user could run it',
    ],
    protection: STARTER,
    setting: STARTER,
  },
  'project.marked_for_deletion_by_id': {
    target: ['deletion', 'is removed when its days are over, once, and not when it was restored'],
    head: NO_COMMIT,
    rights: MARKER,
    user: MARKER,
    moved: [
      'deletion',
      'is restored when its group has left the one by which the user who marked it could delete it',
    ],
    protection: NO_BRANCH,
    setting: 'How long a project is kept is read when it is due.',
  },
  'bulk_import.user_id': {
    target: [
      'bulkImport',
      'a second import adds nothing, and a group or project of another origin is not touched',
    ],
    head: 'It imports what the source has at that time.',
    rights: BULK_IMPORTER,
    user: BULK_IMPORTER,
    moved: BULK_IMPORTER,
    protection: 'It is about whole repositories.',
    setting: BULK_IMPORTER,
  },
  'project_import.user_id': {
    target: [
      'archive',
      'the right to overwrite a project is read where the import is stored, and again where the project is deleted',
    ],
    head: 'A fork gets the commits of that time; an archive is stored with the import.',
    rights: IMPORTER,
    user: FORKER,
    moved: IMPORTER,
    protection: 'It is about a whole repository.',
    setting: FORKER,
  },
  'remote_mirror.user_id': {
    target: ['mirror', 'a mirror is pushed to for the user who has saved it last'],
    head: 'It pushes the commits of that time.',
    rights: PUSHER,
    user: PUSHER,
    moved: [
      'mirror',
      'a mirror is not pushed to once the project has left the group by which its user was a maintainer',
    ],
    protection: 'What it pushes follows the rules of that time.',
    setting: PUSHER,
  },
  'pull_mirror.user_id': {
    target: 'The user who changes the address becomes the user of the mirror.',
    head: 'It takes over the commits of that time.',
    rights: PULLER,
    user: PULLER,
    moved: [
      'pullMirror',
      'a mirror takes over nothing once the project has left the group by which its user was a maintainer',
    ],
    protection: ['pullMirror', 'only protected branches are taken over if that is wanted'],
    setting: PULLER,
  },
}

/** The columns with the users of what is done at once, of credentials, and of what somebody has written or set. */
const RECORDS = new Set([
  ...['access_request.user_id', 'account_link.user_id', 'activity.author_id'],
  ...['approval_rule_user.user_id', 'award_emoji.user_id', 'draft_note.author_id'],
  ...['audit_event.author_id', 'board.assignee_id', 'board_list.assignee_id'],
  ...['bot_user.user_id', 'chat_name.user_id', 'commit_status.user_id', 'custom_attribute.user_id'],
  ...['deploy_key.creator_id', 'deploy_token.creator_id', 'deployment.user_id', 'epic.author_id'],
  ...['external_build.user_id', 'gpg_key.user_id', 'invitation.created_by_id', 'issue.author_id'],
  ...['issue.closed_by_id', 'issue.last_edited_by_id', 'issue.updated_by_id', 'issue_assignee.user_id'],
  ...['issue_subscription.user_id', 'label_subscription.user_id', 'lfs_lock.user_id', 'mail.user_id'],
  ...['member.created_by_id', 'member.user_id', 'merge_request.author_id', 'merge_request.closed_by_id'],
  ...['merge_request.last_edited_by_id', 'merge_request.merged_by_id', 'merge_request.updated_by_id'],
  ...['merge_request_assignee.user_id', 'merge_request_refresh.pushed_by_id'],
  ...['merge_request_reviewer.user_id', 'merge_request_subscription.user_id'],
  ...['merge_request_version.pushed_by_id', 'namespace.owner_id', 'note.author_id', 'note.resolved_by_id'],
  ...['notification_setting.user_id', 'oauth_application.owner_id', 'oauth_grant.user_id'],
  ...['passkey.user_id', 'pending_sign_in.user_id', 'recovery_code.user_id', 'totp_factor.user_id'],
  ...[
    'two_factor_demand.user_id',
    'personal_access_token.user_id',
    'pipeline.user_id',
    'project.creator_id',
    'project_star.user_id',
  ],
  ...['project_upload.uploader_id', 'protected_environment_entry.user_id', 'protected_ref_access.user_id'],
  ...['push.user_id', 'release.author_id', 'resource_event.user_id', 'runner.creator_id'],
  ...['scim_token.created_by_id', 'scim_user.user_id'],
  ...['sign_in_link.user_id', 'snippet.author_id', 'ssh_key.user_id', 'terms_acceptance.user_id'],
  ...['todo.author_id', 'todo.user_id', 'trigger_token.owner_id', 'user_email.user_id'],
  ...['user_follow.followed_id', 'user_follow.follower_id', 'user_identity.user_id'],
  ...['user_password.user_id', 'user_profile.created_by_id', 'user_profile.user_id'],
  ...['user_removal.user_id', 'user_status.user_id', 'viewed_file.user_id'],
  ...['job_terminal.user_id', 'web_session.user_id'],
])

test('every user whom the store names acts at once, or is checked again when the server acts for him', async () => {
  const { database } = await openSqlite()
  const { rows } = await sql<{ name: string }>`
    select entry.name || '.' || info.name as name
    from sqlite_master as entry
    join pragma_table_info(entry.name) as info
    left join pragma_foreign_key_list(entry.name) as reference on reference."from" = info.name
    where entry.type = 'table' and coalesce(
      reference."table" = 'user',
      info.name glob '*user_id' or info.name glob '*owner_id' or info.name glob '*creator_id' or
      info.name glob '*author_id' or (info.name glob '*_by_id' and info.name <> 'auto_canceled_by_id')
    )`.execute(database)
  const names = new Set(rows.map(({ name }) => name))
  const listed = new Set([...RECORDS, ...Object.keys(INTENTIONS)])
  expect([...names].filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !names.has(name))).toEqual([])
})

test.each(Object.entries(INTENTIONS))(
  'whatever changes before the server acts for %s is held by a test, or makes no difference',
  async (_, cells) => {
    for (const [change, cell] of Object.entries(cells) as [string, Cell][]) {
      if (typeof cell === 'string') continue
      const [file, title] = cell
      const source = await readFile(new URL(FILES[file], ROOT), 'utf8')
      expect(source, `${change}: ${FILES[file]}`).toContain(title)
    }
  },
)
