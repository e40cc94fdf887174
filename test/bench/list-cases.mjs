/** @typedef {import('./many-rows.mjs').Place} Place */
/** @typedef {import('./many-rows.mjs').Caller} Caller */
/**
 * `mixed`: rows of the shortest page that shows every kind of a list of several kinds, each of which is a query of its own.
 * @typedef {{ path: string, callers: Caller[], pages: string[], mixed?: number }} List
 */

/** @type {Caller[]} */
const ALL = ['administrator', 'member', 'outsider']
/** @type {Caller[]} */
const MEMBERS = ['administrator', 'member']
/** @type {Caller[]} */
const ADMINISTRATORS = ['administrator']

const DEEP = 'page=4000'
/** Lists that have a keyset are not skipped through any further. */
const DEEP_BESIDE_KEYSET = 'page=2500'

/**
 * The lists, who may read each, and which of its pages beside the first one are read.
 * @param {Place} place
 * @returns {List[]}
 */
export function lists({ project, group, veteran, runner, hook, schedule, sha }) {
  const [ofProject, ofGroup] = [`/projects/${project}`, `/groups/${group}`]
  return [
    ...everywhere(veteran, runner),
    {
      path: `${ofProject}/jobs`,
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'pagination=keyset&id_before=30000', 'scope[]=failed', 'scope[]=running'],
        ...['name=test', 'name=none', 'ref=branch-7', 'ref=none', `runner_id=${runner}`, 'tag=none'],
      ],
    },
    {
      path: `${ofProject}/pipelines`,
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'pagination=keyset&id_before=30000', 'status=failed', 'status=running'],
        ...['ref=branch-7', 'scope=branches', 'scope=finished', 'username=root', 'username=member'],
        ...['order_by=updated_at', 'source=web', 'updated_after=2100-01-01T00:00:00Z'],
      ],
    },
    { path: `${ofProject}/pipelines?with_details=true`, callers: ALL, pages: [DEEP_BESIDE_KEYSET] },
    {
      path: `${ofProject}/deployments`,
      callers: ALL,
      pages: [
        ...[DEEP, 'status=failed', 'status=running', 'environment=e7', 'sort=desc'],
        ...['order_by=updated_at', 'updated_after=2100-01-01T00:00:00Z&order_by=updated_at'],
      ],
    },
    {
      path: `${ofProject}/test_cases`,
      callers: ALL,
      pages: [DEEP_BESIDE_KEYSET, 'flaky=true', 'suite=unit', 'search=test%209999'],
    },
    { path: `${ofProject}/environments`, callers: ALL, pages: [DEEP, 'search=e9999', 'states=stopped'] },
    { path: `${ofProject}/releases`, callers: ALL, pages: [DEEP, 'order_by=created_at', 'sort=asc'] },
    {
      path: `${ofProject}/labels`,
      callers: ALL,
      pages: [DEEP, 'search=l9999', 'include_ancestor_groups=false'],
    },
    {
      path: `${ofProject}/issues`,
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'state=opened', 'state=closed', 'search=i9999', 'search=none', 'iids[]=7777'],
        ...['order_by=updated_at', 'order_by=due_date', 'order_by=weight&sort=asc', 'confidential=true'],
        ...['order_by=popularity', 'my_reaction_emoji=None', 'my_reaction_emoji=tada'],
        ...['assignee_id=None', 'author_username=root', 'scope=assigned_to_me', 'not[search]=i1'],
        ...['milestone=None', 'due_date=overdue', 'updated_after=2100-01-01T00:00:00Z'],
        ...['order_by=milestone_due', 'order_by=label_priority', 'order_by=priority'],
      ],
    },
    {
      path: `${ofGroup}/issues`,
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'state=closed', 'search=i9999', 'order_by=updated_at', 'order_by=due_date'],
        ...['order_by=weight', 'order_by=relative_position', 'order_by=title', 'due_date=overdue'],
        ...['order_by=milestone_due', 'order_by=priority', 'search=none'],
      ],
    },
    {
      path: '/todos',
      callers: ADMINISTRATORS,
      pages: [
        DEEP,
        'state=done',
        'type=MergeRequest',
        'action=marked',
        `project_id=${project}`,
        `group_id=${group}`,
      ],
    },
    { path: '/issues?scope=all', callers: ALL, pages: ['state=closed', 'order_by=updated_at'] },
    {
      path: `${ofProject}/merge_requests`,
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'state=opened', 'state=closed', 'search=g9999', 'search=none', 'iids[]=7777'],
        ...['order_by=updated_at', 'order_by=title&sort=asc', 'order_by=merged_at', 'order_by=popularity'],
        ...['assignee_id=None', 'reviewer_id=Any', 'author_username=root', 'scope=assigned_to_me', 'wip=yes'],
        ...['source_branch=b7777', 'target_branch=main', 'not[search]=g1', 'milestone=None', 'view=simple'],
        ...['updated_after=2100-01-01T00:00:00Z', 'labels=none', 'approved_by_ids=None'],
        ...['environment=e7', 'environment=all', 'environment=none', 'deployed_after=2000-01-01T00:00:00Z'],
        ...['deployed_before=2000-01-01T00:00:00Z', 'order_by=milestone_due', 'order_by=priority'],
      ],
    },
    {
      path: `${ofGroup}/merge_requests`,
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'state=closed', 'search=g9999', 'order_by=updated_at', 'order_by=title'],
        ...['environment=e7', 'environment=all', 'order_by=milestone_due', 'order_by=priority'],
      ],
    },
    {
      path: '/merge_requests?scope=all',
      callers: ALL,
      pages: ['state=closed', 'order_by=updated_at', 'reviewer_username=root'],
    },
    {
      path: `${ofProject}/milestones`,
      callers: ALL,
      pages: [
        ...[DEEP, 'state=active', 'state=closed', 'title=m9999', 'search=m9999', 'search=none'],
        ...['include_ancestors=true', 'updated_after=2100-01-01T00:00:00Z', 'iids[]=7777'],
      ],
    },
    { path: `${ofGroup}/releases`, callers: ALL, pages: [DEEP] },
    // Two pipelines of two jobs each, then what another system says.
    { path: `${ofProject}/repository/commits/${sha}/statuses`, callers: ALL, pages: ['all=true'], mixed: 5 },
    { path: `${ofProject}/pipeline_schedules`, callers: ALL, pages: [DEEP, 'scope=active'] },
    { path: `${ofProject}/pipeline_schedules/${schedule}/pipelines`, callers: ALL, pages: [] },
    { path: `${ofProject}/starrers`, callers: ALL, pages: [] },
    { path: `${ofProject}/forks`, callers: ALL, pages: [] },
    { path: `${ofProject}/events`, callers: ALL, pages: [DEEP, 'action=pushed'] },
    { path: `${ofProject}/groups`, callers: ALL, pages: [] },
    ...forMembers(ofProject, hook),
    { path: `${ofGroup}/projects`, callers: ALL, pages: [DEEP, 'search=p9999', 'order_by=name'] },
    { path: `${ofGroup}/subgroups`, callers: ALL, pages: [] },
    { path: `${ofGroup}/descendant_groups`, callers: ALL, pages: [] },
    { path: `${ofGroup}/groups/shared`, callers: ALL, pages: [] },
    { path: `${ofGroup}/projects/shared`, callers: ALL, pages: [] },
    { path: `${ofGroup}/members/all`, callers: ALL, pages: [] },
    { path: `${ofGroup}/runners`, callers: MEMBERS, pages: [DEEP_BESIDE_KEYSET, 'status=online'] },
    { path: `${ofGroup}/access_tokens`, callers: MEMBERS, pages: [] },
    { path: `${ofGroup}/events`, callers: ALL, pages: [DEEP] },
    { path: `${ofGroup}/audit_events`, callers: MEMBERS, pages: [] },
  ]
}

/**
 * Numbers of what lists show.
 * @param {Place} place
 * @returns {List[]}
 */
export function counts({ project, group }) {
  return [
    ...[`/projects/${project}`, `/groups/${group}`].map((path) => ({
      path: `${path}/issues_statistics`,
      callers: ALL,
      pages: ['search=i9999', 'milestone=None', 'assignee_id=None', 'labels=None', 'due_date=overdue'],
    })),
    { path: `/projects/${project}/pipelines/counts`, callers: ALL, pages: [] },
    { path: `/projects/${project}/pipelines/statistics?weeks=52`, callers: ALL, pages: [] },
    { path: `/projects/pipelines_summary?ids[]=${project}`, callers: ALL, pages: ['ids[]=1001&ids[]=1002'] },
    { path: '/user/attention', callers: ALL, pages: [] },
  ]
}

/**
 * @param {number} veteran
 * @param {number} runner
 * @returns {List[]}
 */
function everywhere(veteran, runner) {
  return [
    {
      path: '/projects',
      callers: ALL,
      pages: [
        ...[
          DEEP_BESIDE_KEYSET,
          'pagination=keyset&id_before=30000',
          'search=p9999',
          'search=none',
          'membership=true',
        ],
        ...[
          'owned=true',
          'visibility=internal',
          'order_by=name&sort=asc',
          'order_by=star_count',
          'starred=true',
        ],
        ...['archived=true', 'min_access_level=30', 'simple=true', 'topic=none', 'with_issues_enabled=true'],
      ],
    },
    { path: '/users/member/projects', callers: ALL, pages: [] },
    { path: '/users/member/contributed_projects', callers: ALL, pages: [] },
    {
      path: '/users',
      callers: ALL,
      pages: [
        ...[
          DEEP_BESIDE_KEYSET,
          'pagination=keyset&id_before=30000',
          'search=u9999',
          'search=none',
          'blocked=true',
          'state=blocked_pending_approval',
        ],
        ...[
          'active=true',
          'username=u777',
          'order_by=name',
          'order_by=updated_at',
          'without_projects=true',
          'admins=true',
        ],
      ],
    },
    {
      path: '/groups',
      callers: ALL,
      pages: [
        ...[
          'all_available=true',
          'all_available=true&page=2500',
          'all_available=true&search=g9999',
          'owned=true',
        ],
        ...[
          'all_available=true&search=none',
          'pagination=keyset',
          'all_available=true&order_by=path',
          'min_access_level=30',
        ],
        'statistics=true',
      ],
    },
    {
      path: '/namespaces',
      callers: ALL,
      pages: [DEEP, 'search=g9999', 'owned_only=true', 'top_level_only=true'],
    },
    {
      path: '/runners/all',
      callers: ADMINISTRATORS,
      pages: [
        DEEP_BESIDE_KEYSET,
        'status=online',
        'status=stale',
        'type=project_type',
        'tag_list=docker',
        'tag_list=gpu',
        'paused=true',
      ],
    },
    { path: '/runners', callers: ALL, pages: ['status=online'] },
    {
      path: `/runners/${runner}/jobs`,
      callers: ADMINISTRATORS,
      pages: [DEEP_BESIDE_KEYSET, 'status=failed', 'status=running', 'name=none', 'ref=branch-7', 'tag=none'],
    },
    {
      path: '/pipelines',
      callers: ALL,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'pagination=keyset&id_before=30000', 'status=failed', 'source=web'],
        ...['mine=true', 'mine=true&scope[]=running&scope[]=recent', 'scope=running', 'scope=finished'],
        ...['membership=true', 'group=many', 'group=many&status=failed', 'ref=branch-7', 'ref=none'],
      ],
    },
    { path: '/pipelines?with_details=true', callers: ALL, pages: ['mine=true'] },
    {
      path: '/jobs',
      callers: ADMINISTRATORS,
      pages: [
        ...[DEEP_BESIDE_KEYSET, 'pagination=keyset&id_before=30000', 'scope[]=failed', 'scope[]=running'],
        ...['name=test', 'name=none', 'ref=branch-7', 'ref=none', `runner_id=${runner}`, 'tag=none'],
      ],
    },
    {
      path: '/audit_events',
      callers: ADMINISTRATORS,
      pages: [DEEP_BESIDE_KEYSET, 'created_after=2100-01-01', 'entity_type=Project'],
    },
    {
      path: '/personal_access_tokens',
      callers: ALL,
      pages: [DEEP, 'state=active', 'search=none', 'sort=name_asc', 'revoked=true'],
    },
    { path: '/deploy_tokens', callers: ADMINISTRATORS, pages: [DEEP, 'active=true'] },
    { path: '/applications', callers: ADMINISTRATORS, pages: [DEEP] },
    { path: '/deploy_keys', callers: ADMINISTRATORS, pages: [] },
    { path: '/user/activities', callers: ADMINISTRATORS, pages: [DEEP] },
    { path: '/events', callers: ALL, pages: [DEEP] },
    { path: '/users/member/events', callers: ALL, pages: [DEEP] },
    { path: `/users/${veteran}/memberships`, callers: ADMINISTRATORS, pages: [DEEP] },
    { path: `/users/${veteran}/followers`, callers: ALL, pages: [DEEP] },
    { path: `/users/${veteran}/following`, callers: ALL, pages: [DEEP] },
    { path: `/users/${veteran}/starred_projects`, callers: ALL, pages: [] },
  ]
}

/**
 * @param {string} project
 * @param {number} hook
 * @returns {List[]}
 */
function forMembers(project, hook) {
  const lists = {
    members: [DEEP, 'query=u9999'],
    'members/all': [DEEP, 'query=u9999'],
    users: [DEEP, 'search=u9999'],
    invitations: [DEEP, 'query=i9999'],
    access_requests: [],
    variables: [DEEP],
    triggers: [DEEP],
    hooks: [DEEP],
    [`hooks/${hook}/events`]: [DEEP, 'status=500', 'status=404'],
    deploy_tokens: [DEEP, 'active=true', 'active=false'],
    deploy_keys: [],
    protected_branches: [DEEP, 'search=p9999'],
    protected_tags: [],
    resource_groups: [DEEP],
    runners: [DEEP_BESIDE_KEYSET, 'status=online', 'type=instance_type'],
    audit_events: [DEEP_BESIDE_KEYSET, 'created_after=2100-01-01'],
    access_tokens: [],
    uploads: [],
  }
  return Object.entries(lists).map(([name, pages]) => ({
    path: `${project}/${name}`,
    callers: MEMBERS,
    pages,
  }))
}
