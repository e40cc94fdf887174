import { AccessLevel } from '@gitbeaker/rest'

import { absent, type Calls, HIDDEN, type Place, type ResourceRow } from './row.js'

/** Branches, tags and what protects them (API, E1, E2, E6). */
export function repositoryRows({ project }: Place): ResourceRow[] {
  const names = ['feature/a', 'feature/b', 'feature/c']
  return [
    {
      resource: 'branches',
      of: 'project',
      manager: 'branches',
      key: 'name',
      hidden: HIDDEN.project,
      bodies: names.map((branch) => ({ branch, ref: 'main' })),
      wrong: { body: { branch: 'other', ref: 'none' }, status: 400, message: 'Invalid reference name: none' },
      absent: absent('Branch'),
      gitbeaker: ({ Branches }): Calls => ({
        create: ({ branch, ref }) => Branches.create(project, String(branch), String(ref)),
        all: (options) => Branches.all(project, options),
        show: (name) => Branches.show(project, String(name)),
        remove: (name) => Branches.remove(project, String(name)),
      }),
    },
    {
      resource: 'tags',
      of: 'project',
      manager: 'tags',
      key: 'name',
      hidden: HIDDEN.project,
      bodies: ['v1.0', 'v1.1', 'v2/x'].map((tag_name) => ({ tag_name, ref: 'main', message: 'New' })),
      wrong: { body: { tag_name: 'v3', ref: 'none' }, status: 405, message: 'Target none is invalid' },
      absent: absent('Tag'),
      gitbeaker: ({ Tags }): Calls => ({
        create: ({ tag_name, ref }) =>
          Tags.create(project, String(tag_name), String(ref), { message: 'New' }),
        all: (options) => Tags.all(project, options),
        show: (name) => Tags.show(project, String(name)),
        remove: (name) => Tags.remove(project, String(name)),
      }),
    },
    {
      resource: 'protected branches',
      of: 'project',
      manager: 'protectedbranches',
      key: 'name',
      hidden: HIDDEN.project,
      bodies: ['stable', 'rel/*', 'x-*'].map((name) => ({ name, push_access_level: 30 })),
      wrong: {
        body: { name: 'main' },
        status: 409,
        message: "Protected branch 'main' already exists",
      },
      absent: absent(),
      gitbeaker: ({ ProtectedBranches }): Calls => ({
        create: ({ name }) =>
          ProtectedBranches.create(project, String(name), {
            pushAccessLevel: AccessLevel.DEVELOPER,
          }),
        all: (options) => ProtectedBranches.all(project, options),
        show: (name) => ProtectedBranches.show(project, String(name)),
        edit: (name) => ProtectedBranches.edit(project, String(name), { allowForcePush: true }),
        remove: (name) => ProtectedBranches.remove(project, String(name)),
      }),
    },
    {
      resource: 'protected tags',
      of: 'project',
      manager: 'protectedtags',
      key: 'name',
      hidden: HIDDEN.project,
      bodies: ['v1', 'rel/*', 'x-*'].map((name) => ({ name, create_access_level: 30 })),
      wrong: { body: { name: 'v1' }, status: 409, message: "Protected tag 'v1' already exists" },
      absent: absent(),
      gitbeaker: ({ ProtectedTags }): Calls => ({
        create: ({ name }) =>
          ProtectedTags.create(project, String(name), {
            createAccessLevel: AccessLevel.DEVELOPER,
          }),
        all: (options) => ProtectedTags.all(project, options),
        show: (name) => ProtectedTags.show(project, String(name)),
        remove: (name) => ProtectedTags.remove(project, String(name)),
      }),
    },
  ]
}
