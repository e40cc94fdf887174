import { AccessLevel } from '@gitbeaker/rest'

import { ECDSA_KEY, ED25519_KEY, RSA_KEY } from '../../coordinator/accounts/users/example-keys.js'
import type { Gitbeaker } from '../support/service.js'
import { absent, type Calls, FORBIDDEN, HIDDEN, LATER, type Place, type ResourceRow } from './row.js'

/** What machines come in with: deploy keys, deploy tokens, access tokens (API, A13, C5). */
export function machineRows(place: Place): ResourceRow[] {
  return [
    applications(),
    deployKeys(place),
    deployTokens('project', { projectId: place.project }),
    deployTokens('group', { groupId: place.group }),
    {
      resource: 'access tokens of a project',
      of: 'project',
      ...ACCESS_TOKENS,
      hidden: HIDDEN.project,
      gitbeaker: ({ ProjectAccessTokens }) => accessTokenCalls(ProjectAccessTokens, place.project),
    },
    {
      resource: 'access tokens of a group',
      of: 'group',
      ...ACCESS_TOKENS,
      hidden: HIDDEN.group,
      gitbeaker: ({ GroupAccessTokens }) => accessTokenCalls(GroupAccessTokens, place.group),
    },
  ]
}

function applications(): ResourceRow {
  const application = (name: string) => ({
    name,
    redirect_uri: `https://${name}.example/back`,
    scopes: 'api read_user',
  })
  return {
    resource: 'OAuth applications',
    of: 'instance',
    manager: 'applications',
    key: 'id',
    bodies: ['a', 'b', 'c'].map(application),
    readable: false,
    hidden: FORBIDDEN,
    gone: absent(),
    wrong: {
      body: { ...application('d'), redirect_uri: 'https://d.example/#there' },
      status: 400,
      message: { redirect_uri: ['cannot contain a fragment.'] },
    },
    gitbeaker: ({ Applications }): Calls => ({
      create: ({ name, redirect_uri, scopes }) =>
        Applications.create(String(name), String(redirect_uri), String(scopes)),
      all: (options) => Applications.all(options),
      remove: (id) => Applications.remove(Number(id)),
    }),
  }
}

function deployKeys({ project }: Place): ResourceRow {
  return {
    resource: 'deploy keys',
    of: 'project',
    manager: 'keys',
    key: 'id',
    hidden: HIDDEN.project,
    bodies: [ED25519_KEY.line, RSA_KEY, ECDSA_KEY].map((key, index) => ({ title: `robot ${index}`, key })),
    change: { title: 'changed', can_push: true },
    wrong: {
      body: { title: 'x', key: 'x' },
      status: 400,
      message: { 'deploy_key.key': ['must be a valid OpenSSH public key'] },
    },
    absent: absent('Deploy Key'),
    gitbeaker: ({ DeployKeys }): Calls => ({
      create: ({ title, key }) => DeployKeys.create(project, String(title), String(key)),
      all: (options) => DeployKeys.all({ projectId: project, ...options }),
      show: (id) => DeployKeys.show(project, Number(id)),
      edit: (id) => DeployKeys.edit(project, Number(id), { title: 'changed', canPush: true }),
      remove: (id) => DeployKeys.remove(project, Number(id)),
    }),
  }
}

function deployTokens(
  of: 'project' | 'group',
  owner: { projectId: number } | { groupId: number },
): ResourceRow {
  const scopes = ['read_repository' as const]
  return {
    resource: `deploy tokens of a ${of}`,
    of,
    manager: 'deploytokens',
    key: 'id',
    hidden: HIDDEN[of],
    bodies: ['a', 'b', 'c'].map((name) => ({ name, scopes })),
    wrong: { body: { name: '', scopes }, status: 400, message: 'name is empty' },
    filter: { active: true },
    gone: absent('Deploy Token'),
    gitbeaker: ({ DeployTokens }): Calls => ({
      create: ({ name }) => DeployTokens.create(String(name), scopes, owner),
      all: async (options) =>
        (await DeployTokens.all({ ...owner, ...options })).filter(({ revoked }) => !revoked),
      show: (id) => DeployTokens.show(Number(id), owner),
      remove: (id) => DeployTokens.remove(Number(id), owner),
    }),
  }
}

const ACCESS_TOKENS = {
  manager: 'access_tokens',
  key: 'id',
  filter: { state: 'active' },
  gone: { status: 400, message: '400 Bad request - The token was already revoked' },
  bodies: ['a', 'b', 'c'].map((name) => ({ name, scopes: ['api'], access_level: 30, expires_at: LATER })),
  wrong: {
    body: { name: 'x', scopes: ['api'], access_level: 30, expires_at: '2001-01-01' },
    status: 400,
    message: { expires_at: ["can't be in the past"] },
  },
}

function accessTokenCalls(
  tokens: Gitbeaker['ProjectAccessTokens'] | Gitbeaker['GroupAccessTokens'],
  owner: number,
): Calls {
  return {
    create: ({ name, expires_at }) =>
      tokens.create(owner, String(name), ['api'], String(expires_at), { accessLevel: AccessLevel.DEVELOPER }),
    all: async (options) => (await tokens.all(owner, options)).filter(({ active }) => active),
    remove: (id) => tokens.revoke(owner, Number(id)),
  }
}
