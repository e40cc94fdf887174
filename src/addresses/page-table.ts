/**
 * The pages and their addresses, in the order in which they are matched. In a pattern, `:project`, `:group`, `:path` and
 * `:slug` stand for paths of any depth, other names after a colon for one segment, and `*name` for the rest of the address.
 * `:name(one|other)` is one of these words.
 *
 * The module of a page is `src/web/pages/<name>/page.tsx`.
 */
export const PAGES = {
  home: '/',
  'home/todos': '/dashboard/todos',
  search: '/search',
  'projects/own': '/dashboard/projects',
  'projects/explore': '/explore/projects',
  'projects/topics': '/explore/projects/topics',
  'projects/topic': '/explore/projects/topics/:name',
  'projects/explore-groups': '/explore/groups',
  'projects/new': '/projects/new',
  'groups/new': '/groups/new',
  'groups/import': '/import/bulk_imports',
  'groups/import-report': '/import/bulk_imports/:id',

  'admin/overview': '/admin',
  'admin/set-up': '/admin/set_up',
  'admin/users': '/admin/users',
  'admin/user': '/admin/users/:username',
  'admin/projects': '/admin/projects',
  'admin/groups': '/admin/groups',
  'admin/runners': '/admin/runners',
  'admin/runner': '/admin/runners/:id',
  'admin/jobs': '/admin/jobs',
  'admin/audit': '/admin/audit_logs',
  'admin/backups': '/admin/backups',
  'admin/settings': '/admin/application_settings',
  'admin/variables': '/admin/ci/variables',
  'admin/applications': '/admin/applications',
  'admin/broadcast-messages': '/admin/broadcast_messages',
  'admin/topics': '/admin/topics',
  'admin/hooks': '/admin/hooks',
  'admin/hook': '/admin/hooks/:id',

  'account/profile': '/-/user_settings/profile',
  'account/password': '/-/user_settings/password',
  'account/tokens': '/-/user_settings/personal_access_tokens',
  'account/sessions': '/-/user_settings/active_sessions',
  'account/two-factor': '/-/profile/two_factor_auth',
  'account/ssh-keys': '/-/user_settings/ssh_keys',
  'account/gpg-keys': '/-/user_settings/gpg_keys',
  'account/applications': '/-/user_settings/applications',
  'account/chat-names': '/-/user_settings/chat_names',
  'account/preferences': '/-/profile/preferences',
  'account/notifications': '/-/profile/notifications',

  'groups/members': '/groups/:group/-/group_members',
  'groups/runners': '/groups/:group/-/runners',
  'groups/runner': '/groups/:group/-/runners/:id',
  'groups/ci-settings': '/groups/:group/-/settings/ci_cd',
  'groups/pipelines': '/groups/:group/-/pipelines',
  'groups/access-tokens': '/groups/:group/-/settings/access_tokens',
  'groups/repository-settings': '/groups/:group/-/settings/repository',
  'groups/audit': '/groups/:group/-/audit_events',
  'groups/settings': '/groups/:group/-/edit',
  'groups/hook': '/groups/:group/-/hooks/:id',
  'groups/hooks': '/groups/:group/-/hooks',

  'pipelines/new': '/:project/-/pipelines/new',
  'pipelines/charts': '/:project/-/pipelines/charts',
  'pipelines/latest': '/:project/-/pipelines/latest',
  'pipelines/pipeline': '/:project/-/pipelines/:id',
  'pipelines/failures': '/:project/-/pipelines/:id/failures',
  'pipelines/needs': '/:project/-/pipelines/:id/needs',
  'pipelines/waterfall': '/:project/-/pipelines/:id/waterfall',
  'pipelines/jobs': '/:project/-/pipelines/:id/builds',
  'pipelines/tests': '/:project/-/pipelines/:id/test_report',
  'pipelines/variables': '/:project/-/pipelines/:id/variables',
  'pipelines/compare': '/:project/-/pipelines/:id/compare',
  'pipelines/list': '/:project/-/pipelines',

  'jobs/artifacts': '/:project/-/jobs/:id/artifacts/browse/*path',
  'jobs/artifact': '/:project/-/jobs/:id/artifacts/file/*path',
  'jobs/compare': '/:project/-/jobs/:id/compare',
  'jobs/terminal': '/:project/-/jobs/:id/terminal',
  'jobs/job': '/:project/-/jobs/:id',
  'jobs/list': '/:project/-/jobs',

  'editor/edit': '/:project/-/ci/editor',
  'editor/lint': '/:project/-/ci/lint',

  'tests/case': '/:project/-/tests/:case',
  'tests/list': '/:project/-/tests',

  'environments/environment': '/:project/-/environments/:id',
  'environments/list': '/:project/-/environments',

  'schedules/new': '/:project/-/pipeline_schedules/new',
  'schedules/edit': '/:project/-/pipeline_schedules/:id/edit',
  'schedules/list': '/:project/-/pipeline_schedules',

  'runners/list': '/:project/-/runners',
  'runners/runner': '/:project/-/runners/:id',

  'code/tree': '/:project/-/tree/*ref_path',
  'code/file': '/:project/-/blob/*ref_path',
  'code/edit': '/:project/-/edit/*ref_path',
  'code/new-file': '/:project/-/new/*ref_path',
  'code/blame': '/:project/-/blame/*ref_path',
  'code/commits': '/:project/-/commits/*ref_path',
  'code/commit': '/:project/-/commit/:sha',
  'code/compare': '/:project/-/compare/*revisions',
  'code/branches': '/:project/-/branches',
  'code/tags': '/:project/-/tags',
  'code/tag': '/:project/-/tags/*tag',
  'code/search': '/:project/-/search',
  'code/find-file': '/:project/-/find_file/*ref',

  'releases/new': '/:project/-/releases/new',
  'releases/edit': '/:project/-/releases/:tag/edit',
  'releases/release': '/:project/-/releases/:tag',
  'releases/list': '/:project/-/releases',

  'settings/general': '/:project/edit',
  'settings/ci': '/:project/-/settings/ci_cd',
  'settings/repository': '/:project/-/settings/repository',
  'settings/integration': '/:project/-/settings/integrations/:slug/edit',
  'settings/integrations': '/:project/-/settings/integrations',
  'settings/sites': '/:project/-/settings/sites',
  'settings/audit': '/:project/-/settings/audit',
  'settings/access-tokens': '/:project/-/settings/access_tokens',
  'settings/members': '/:project/-/project_members',
  'settings/hook': '/:project/-/hooks/:id',
  'settings/hooks': '/:project/-/hooks',
  'projects/forks': '/:project/-/forks',
  'projects/import': '/:project/-/import',
  'projects/activity': '/:project/activity',

  'issues/of-group': '/groups/:group/-/issues',
  'issues/group-labels': '/groups/:group/-/labels',
  'issues/group-milestone': '/groups/:group/-/milestones/:iid',
  'issues/group-milestones': '/groups/:group/-/milestones',
  'issues/group-board': '/groups/:group/-/boards/:id',
  'issues/group-boards': '/groups/:group/-/boards',
  'issues/new-epic': '/groups/:group/-/epics/new',
  'issues/epic': '/groups/:group/-/epics/:iid',
  'issues/epics': '/groups/:group/-/epics',
  'issues/board': '/:project/-/boards/:id',
  'issues/boards': '/:project/-/boards',
  'issues/labels': '/:project/-/labels',
  'issues/milestone': '/:project/-/milestones/:iid',
  'issues/milestones': '/:project/-/milestones',
  'issues/new': '/:project/-/issues/new',
  'issues/issue': '/:project/-/issues/:iid',
  'issues/list': '/:project/-/issues',
  'issues/own': '/dashboard/issues',

  'merge-requests/of-group': '/groups/:group/-/merge_requests',
  'merge-requests/new': '/:project/-/merge_requests/new',
  'merge-requests/commits': '/:project/-/merge_requests/:iid/commits',
  'merge-requests/pipelines': '/:project/-/merge_requests/:iid/pipelines',
  'merge-requests/changes': '/:project/-/merge_requests/:iid/diffs',
  'merge-requests/merge-request': '/:project/-/merge_requests/:iid',
  'merge-requests/list': '/:project/-/merge_requests',
  'merge-requests/own': '/dashboard/merge_requests',

  'wikis/group-view': '/groups/:group/-/wikis/:slug/:view(edit|history|diff)',
  'wikis/group-page': '/groups/:group/-/wikis/*slug',
  'wikis/view': '/:project/-/wikis/:slug/:view(edit|history|diff)',
  'wikis/page': '/:project/-/wikis/*slug',

  'snippets/own': '/:root(dashboard|-)/snippets',
  'snippets/own-snippet': '/-/snippets/:id/*view',
  'snippets/list': '/:project/-/snippets',
  'snippets/snippet': '/:project/-/snippets/:id/*view',

  overview: '/:path',
} as const

export type PageName = keyof typeof PAGES

type ParamsIn<Pattern extends string> = Pattern extends `${infer First}/${infer Rest}`
  ? ParamOf<First> | ParamsIn<Rest>
  : ParamOf<Pattern>

type ParamOf<Segment extends string> = Segment extends `:${infer Name}(${string})`
  ? Name
  : Segment extends `:${infer Name}` | `*${infer Name}`
    ? Name
    : never

/** Names and decoded values of the parameters of a page. */
export type PageParams<Name extends PageName> = Record<ParamsIn<(typeof PAGES)[Name]>, string>

/** A page with the parameters of one address. */
export interface PageMatch {
  name: PageName
  params: Record<string, string>
}

/** Parameters that stand for a path of any depth. */
export const PATH_PARAMS: ReadonlySet<string> = new Set(['project', 'group', 'path', 'slug'])
