import type { Gitbeaker } from '../support/service.js'
import { absent, type Calls, type Fields, FORBIDDEN, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Variables, hooks, badges, mirrors and custom attributes (API, C2, C4, C5, I1, K1). */
export function settingRows(place: Place): ResourceRow[] {
  return [
    ...variableRows(place),
    ...hookRows(place),
    ...badgeRows(place),
    mirrorRow(place),
    ...attributeRows(place),
  ]
}

const VARIABLES = {
  manager: 'variables',
  key: 'key',
  absent: absent('Variable'),
  bodies: ['A', 'B', 'C'].map((key) => ({ key, value: 'first' })),
  change: { value: 'changed' },
  wrong: {
    body: { key: 'A', value: 'x' },
    status: 400,
    message: { key: ['(A) has already been taken'] },
  },
}

function variableRows({ project, group }: Place): ResourceRow[] {
  return [
    {
      resource: 'variables of a project',
      of: 'project',
      ...VARIABLES,
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectVariables }) => variableCalls(ProjectVariables, project),
    },
    {
      resource: 'variables of a group',
      of: 'group',
      ...VARIABLES,
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupVariables }) => variableCalls(GroupVariables, group),
    },
    {
      resource: 'variables of the instance',
      of: 'instance',
      ...VARIABLES,
      hidden: FORBIDDEN,
      gitbeaker: ({ InstanceLevelCICDVariables: variables }): Calls => ({
        create: ({ key, value }) => variables.create(String(key), String(value)),
        all: () => variables.all(),
        show: (key) => variables.show(String(key)),
        edit: (key) => variables.edit(String(key), 'changed'),
      }),
    },
  ]
}

function variableCalls(
  variables: Gitbeaker['ProjectVariables'] | Gitbeaker['GroupVariables'],
  owner: number,
): Calls {
  return {
    create: ({ key, value }) => variables.create(owner, String(key), String(value)),
    all: (options) => variables.all(owner, options),
    show: (key) => variables.show(owner, String(key)),
    edit: (key) => variables.edit(owner, String(key), 'changed'),
    remove: (key) => variables.remove(owner, String(key)),
  }
}

const HOOKS = {
  manager: 'hooks',
  key: 'id',
  absent: absent(),
  gone: null,
  bodies: ['a', 'b', 'c'].map((path) => ({ url: `https://example.com/${path}`, token: 'secret' })),
  wrong: { body: { url: 'nothing' }, status: 422, message: 'Invalid url given' },
}

function hookRows({ project }: Place): ResourceRow[] {
  const changed = 'https://example.com/changed'
  return [
    {
      resource: 'hooks of a project',
      of: 'project',
      ...HOOKS,
      hidden: HIDDEN.project,
      change: { url: changed },
      gitbeaker: ({ ProjectHooks }): Calls => ({
        create: ({ url }) => ProjectHooks.add(project, String(url), { token: 'secret' }),
        all: (options) => ProjectHooks.all(project, options),
        show: (id) => ProjectHooks.show(project, Number(id)),
        edit: (id) => ProjectHooks.edit(project, Number(id), changed),
        remove: (id) => ProjectHooks.remove(project, Number(id)),
      }),
    },
    {
      resource: 'hooks of the system',
      of: 'instance',
      ...HOOKS,
      hidden: FORBIDDEN,
      // To show one, this client posts, which is the call for a test.
      gitbeaker: ({ SystemHooks }): Calls => ({
        create: ({ url }) => SystemHooks.create(String(url), { token: 'secret' }),
        all: () => SystemHooks.all(),
        remove: (id) => SystemHooks.remove(Number(id)),
      }),
    },
  ]
}

const BADGES = {
  manager: 'badges',
  key: 'id',
  absent: absent('Badge'),
  bodies: ['a', 'b', 'c'].map((name) => ({
    name,
    link_url: 'https://example.com/%{project_path}',
    image_url: 'https://example.com/x.svg',
  })),
  change: { link_url: 'https://example.com/changed' },
  wrong: {
    body: { link_url: 'https://example.com', image_url: 'javascript:1' },
    status: 400,
    message: { image_url: ['is blocked: Only allowed schemes are http, https'] },
  },
}

function badgeRows({ project, group }: Place): ResourceRow[] {
  return [
    {
      resource: 'badges of a project',
      of: 'project',
      ...BADGES,
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectBadges }) => badgeCalls(ProjectBadges, project),
    },
    {
      resource: 'badges of a group',
      of: 'group',
      ...BADGES,
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupBadges }) => badgeCalls(GroupBadges, group),
    },
  ]
}

function badgeCalls(badges: Gitbeaker['ProjectBadges'] | Gitbeaker['GroupBadges'], owner: number): Calls {
  return {
    create: ({ name, link_url, image_url }) =>
      badges.add(owner, String(link_url), String(image_url), { name: String(name) }),
    all: (options) => badges.all(owner, options),
    show: (id) => badges.show(owner, Number(id)),
    edit: (id) => badges.edit(owner, Number(id), { linkUrl: BADGES.change.link_url }),
    remove: (id) => badges.remove(owner, Number(id)),
  }
}

function mirrorRow({ project }: Place): ResourceRow {
  return {
    resource: 'mirrors of a project',
    of: 'project',
    manager: 'remote_mirrors',
    key: 'id',
    bodies: ['a', 'b', 'c'].map((name) => ({ url: `https://git.example.net/${name}.git` })),
    change: { only_protected_branches: true },
    wrong: { body: { url: 'elsewhere' }, status: 400, message: { url: ['must be a valid URL'] } },
    hidden: HIDDEN.project,
    absent: absent(),
    gitbeaker: ({ ProjectRemoteMirrors }): Calls => ({
      create: ({ url }) => ProjectRemoteMirrors.createPushMirror(project, String(url)),
      all: (options) => ProjectRemoteMirrors.all(project, options),
      show: (id) => ProjectRemoteMirrors.show(project, Number(id)),
      // Its `edit` is a POST, which the documents do not have.
      remove: (id) => ProjectRemoteMirrors.remove(project, Number(id)),
    }),
  }
}

function attributeRows({ project, group, user }: Place): ResourceRow[] {
  const attributes = {
    manager: 'customattributes',
    key: 'key',
    absent: absent('CustomAttribute'),
    hidden: FORBIDDEN,
    bodies: ['team', 'cost', 'x.y'].map((key): Fields => ({ key, value: 'first' })),
  }
  return [
    {
      resource: 'custom attributes of a project',
      of: 'project',
      ...attributes,
      gitbeaker: ({ ProjectCustomAttributes }) => attributeCalls(ProjectCustomAttributes, project),
    },
    {
      resource: 'custom attributes of a group',
      of: 'group',
      ...attributes,
      gitbeaker: ({ GroupCustomAttributes }) => attributeCalls(GroupCustomAttributes, group),
    },
    {
      resource: 'custom attributes of a user',
      of: 'user',
      ...attributes,
      gitbeaker: ({ UserCustomAttributes }) => attributeCalls(UserCustomAttributes, user),
    },
  ]
}

type CustomAttributes =
  | Gitbeaker['ProjectCustomAttributes']
  | Gitbeaker['GroupCustomAttributes']
  | Gitbeaker['UserCustomAttributes']

function attributeCalls(attributes: CustomAttributes, owner: number): Calls {
  return {
    create: ({ key, value }) => attributes.set(owner, String(key), String(value)),
    all: (options) => attributes.all(owner, options),
    show: (key) => attributes.show(owner, String(key)),
    remove: (key) => attributes.remove(owner, String(key)),
  }
}
