import { expect, test } from 'vitest'

import { isChange } from '../../../src/coordinator/access/access.js'
import { auditSubject } from '../../../src/coordinator/http/audit-subject.js'
import type { Operation } from '../../../src/coordinator/http/operation.js'
import { declaredOperations } from '../support/declared-operations.js'

const IN_PATH = {
  id: '7',
  user_id: '8',
  key: 'KEY',
  branch: 'main',
  hook_id: '9',
  trigger: 'push_events',
  target_group_id: '5',
  deployment_id: '6',
}

/** Route, response, and the recorded audit event (API, L4). */
const CASES = [
  ['POST /projects', { id: 3 }, 'add project: Project 3'],
  ['DELETE /projects/:id', {}, 'remove project: Project 7'],
  ['POST /projects/:id/archive', { id: 7 }, 'change project: Project 7'],
  ['POST /projects/:id/restore', { id: 7 }, 'change project: Project 7'],
  ['POST /projects/import', { id: 3 }, 'add project: Project 3'],
  ['POST /projects/:id/fork', { id: 3 }, 'add project: Project 3'],
  ['POST /projects/:id/fork/:forked_from_id', { id: 7 }, 'change project: Project 7'],
  ['DELETE /projects/:id/fork', {}, 'change project: Project 7'],
  ['POST /projects/user/:user_id', { id: 3 }, 'add project: Project 3'],
  ['POST /users/:id/block', {}, 'change user: User 7'],
  ['PUT /user/avatar', {}, 'change user: User undefined'],
  ['PUT /user/password', {}, 'change user: User undefined'],
  ['POST /user/sessions/confirm', {}, 'change session: Session undefined'],
  ['PATCH /projects/:id/job_token_scope', {}, 'change job_token_scope: Project undefined'],
  ['POST /projects/:id/job_token_scope/allowlist', {}, 'add allowlist: Project undefined'],
  [
    'DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id',
    {},
    'remove groups_allowlist: Group 5',
  ],
  ['POST /projects/:id/members', { id: 8 }, 'add member: User 8'],
  ['PUT /projects/:id/access_requests/:user_id/approve', { id: 8 }, 'change access_request: User 8'],
  ['POST /projects/:id/variables', { key: 'KEY' }, 'add variable: Variable KEY'],
  ['DELETE /projects/:id/variables/:key', {}, 'remove variable: Variable KEY'],
  ['PUT /projects/:id/repository/branches/:branch/protect', { name: 'x' }, 'change branch: Branch main'],
  ['POST /projects/:id/hooks/:hook_id/test/:trigger', {}, 'change hook: Hook 9'],
  ['POST /hooks/:id', {}, 'change hook: Hook 7'],
  ['POST /projects/:id/deployments/:deployment_id/approval', {}, 'change deployment: Deployment 6'],
  ['POST /projects/:id/releases', { tag_name: 'v1', name: 'First' }, 'add release: Release v1'],
  ['POST /projects/:id/statuses/:sha', { id: 4 }, 'add status: CommitStatus 4'],
  ['POST /projects/:id/issues/:issue_iid/move', { id: 4 }, 'add issue: Issue 4'],
  ['POST /projects/:id/issues/:issue_iid/links', {}, 'add link: IssueLink undefined'],
  ['PUT /user/status', {}, 'change status: UserStatus undefined'],
  ['DELETE /personal_access_tokens/self', {}, 'remove personal_access_token: PersonalAccessToken undefined'],
  ['POST /runners/:id/reset_authentication_token', {}, 'change runner: Runner 7'],
] as const

test.each(CASES)('%s is recorded with the right subject', (route, record, told) => {
  const [method, path] = route.split(' ') as [Operation['method'], string]
  const { verb, resource, type, id } = auditSubject({ method, path }, IN_PATH, record)
  expect(`${verb} ${resource}: ${type} ${String(id)}`).toBe(told)
})

test('every audit event names its kind of object', async () => {
  const changes = (await declaredOperations()).filter((each) => isChange(each) && each.access !== 'anyone')
  const types = new Set(changes.map((operation) => auditSubject(operation, {}, {}).type))
  expect([...types].toSorted()).toEqual(TYPES)
})

/** Add new object types here; actions belong in `audit-subject.ts`. */
const TYPES = [
  'Appearance',
  'Application',
  'ApplicationSetting',
  'Approval',
  'Artifact',
  'Attachment',
  'AuthorizedApplication',
  'AwardEmoji',
  'Badge',
  'Branch',
  'Cache',
  'Changelog',
  'ChatName',
  'Commit',
  'CommitStatus',
  'ContextCommit',
  'CustomAttribute',
  'CustomHeader',
  'DeployKey',
  'DeployToken',
  'Deployment',
  'Discussion',
  'DraftNote',
  'Email',
  'Environment',
  'Epic',
  'Evidence',
  'Export',
  'ExternalStatusCheck',
  'FeatureFlag',
  'FeatureFlagsUserList',
  'File',
  'FreezePeriod',
  'GpgKey',
  'Group',
  'Hook',
  'HookEvent',
  'Identity',
  'Integration',
  'Invitation',
  'Issue',
  'IssueLink',
  'Job',
  'Key',
  'Label',
  'MergeRequest',
  'Milestone',
  'Note',
  'NotificationSetting',
  'PersonalAccessToken',
  'Pipeline',
  'PipelineSchedule',
  'PlanLimit',
  'Project',
  'ProtectedBranch',
  'ProtectedEnvironment',
  'ProtectedTag',
  'PullMirror',
  'PushRule',
  'Release',
  'ReleaseLink',
  'RemoteMirror',
  'ResourceGroup',
  'Runner',
  'SecureFile',
  'Session',
  'SignInLink',
  'Snippet',
  'Stage',
  'StatusCheckResponse',
  'Submodule',
  'Suggestion',
  'Tag',
  'Todo',
  'Trigger',
  'Upload',
  'UrlVariable',
  'User',
  'UserPreference',
  'UserStatus',
  'Variable',
  'Wiki',
]
