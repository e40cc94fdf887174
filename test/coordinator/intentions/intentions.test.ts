import { readFile } from 'node:fs/promises'

import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { openSqlite } from '../../support/databases.js'

const ROOT = new URL('../../../', import.meta.url)

/** A file, and the titles of its tests that change the intention's terms, or the rights of its user, before it acts. */
type HeldBy = readonly [file: string, ...titles: string[]]

/**
 * The columns with the users for whom the server acts later, and what holds that both what it was given for and the rights
 * of the user are checked when it acts.
 */
const INTENTIONS: Readonly<Record<string, HeldBy>> = {
  'merge_request.merge_user_id': [
    'test/coordinator/intentions/auto-merge.test.ts',
    'an automatic merge ends with a note when what it was asked for changes',
    'an automatic merge is not made once its user was blocked or deleted, or has lost the right',
    'takes its head once, and is refused if a push, another target or a block comes before its lock',
  ],
  'merge_request_approval.user_id': [
    'test/coordinator/intentions/approvals.test.ts',
    'an approval counts for the head that was approved, and a push at the same moment is not merged',
    'an approval is for one target branch',
    'an approval counts as long as its user may approve',
  ],
  'merge_request.remove_source_branch_by_id': [
    'test/coordinator/intentions/source-branches.test.ts',
    'a branch of a fork is deleted and pushed to for the user who wants that, while he may push himself',
    'a protected source branch is kept by every merge that asks for its deletion',
  ],
  'merge_request.collaboration_by_id': [
    'test/coordinator/intentions/source-branches.test.ts',
    'who may not push to a fork can neither let others push to its branch nor have it deleted',
    'a branch of a fork is deleted and pushed to for the user who wants that, while he may push himself',
  ],
  'merge_request_task.user_id': [
    'test/coordinator/intentions/source-branches.test.ts',
    'the author of a fork has its branch deleted, also if a maintainer of the target merges',
  ],
  'deployment_approval.user_id': [
    'test/security/acting-as-another-user/protected-environments.test.ts',
    'an approval of a deployment counts as long as its user may approve',
  ],
  'environment.auto_stop_user_id': [
    'test/security/acting-as-another-user/stop-jobs.test.ts',
    'an environment whose time was set by a user who has left the project is not stopped as that user',
  ],
  'pipeline_schedule.owner_id': [
    'test/coordinator/ci/schedules/run-due-schedules.test.ts',
    'is deactivated when its owner $what',
  ],
  'job.user_id': ['test/coordinator/ci/engine/dispatch/dispatch-job.test.ts', 'fails with %s when %s'],
  'project.marked_for_deletion_by_id': [
    'test/coordinator/hosting/projects/adjourned-deletion.test.ts',
    'is restored when its days are over and the user who marked it may not delete it any more',
  ],
  'remote_mirror.user_id': [
    'test/coordinator/hosting/mirrors/remote-mirrors.test.ts',
    'a mirror is not pushed to for a user who was blocked, deleted or demoted, or whom a setting forbids mirrors',
    'a mirror is pushed to for the user who has saved it last',
  ],
  'pull_mirror.user_id': [
    'test/coordinator/hosting/pull-mirrors/pull-mirrors.test.ts',
    'a mirror takes over nothing for a user who was blocked or has lost the right to set it up',
  ],
}

/** The columns with the users of what is done at once, of credentials, and of what somebody has written or set. */
const RECORDS = new Set([
  ...['access_request.user_id', 'account_link.user_id', 'activity.author_id', 'award_emoji.user_id'],
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
  ...['personal_access_token.user_id', 'pipeline.user_id', 'project.creator_id', 'project_star.user_id'],
  ...['project_upload.uploader_id', 'protected_environment_entry.user_id', 'protected_ref_access.user_id'],
  ...['push.user_id', 'release.author_id', 'resource_event.user_id', 'runner.creator_id'],
  ...['sign_in_link.user_id', 'snippet.author_id', 'ssh_key.user_id', 'terms_acceptance.user_id'],
  ...['todo.author_id', 'todo.user_id', 'trigger_token.owner_id', 'user_email.user_id'],
  ...['user_follow.followed_id', 'user_follow.follower_id', 'user_identity.user_id'],
  ...['user_password.user_id', 'user_profile.created_by_id', 'user_profile.user_id'],
  ...['user_removal.user_id', 'user_status.user_id', 'web_session.user_id'],
])

test('every user whom the store names acts at once, or is checked again when the server acts for him', async () => {
  const { database } = await openSqlite()
  const { rows } = await sql<{ name: string }>`
    select entry.name || '.' || reference."from" as name
    from sqlite_master as entry, pragma_foreign_key_list(entry.name) as reference
    where entry.type = 'table' and reference."table" = 'user'`.execute(database)
  const names = new Set(rows.map(({ name }) => name))
  const listed = new Set([...RECORDS, ...Object.keys(INTENTIONS)])
  expect([...names].filter((name) => !listed.has(name))).toEqual([])
  expect([...listed].filter((name) => !names.has(name))).toEqual([])
})

test.each(Object.entries(INTENTIONS))('what acts for %s is held by tests', async (_, [file, ...titles]) => {
  const source = await readFile(new URL(file, ROOT), 'utf8')
  for (const title of titles) expect(source).toContain(title)
})
