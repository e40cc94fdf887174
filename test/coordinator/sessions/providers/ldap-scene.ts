import type { LightMyRequestResponse } from 'fastify'

import { csrfTokenOf } from '../../../../src/coordinator/http/authentication/csrf.js'
import type {
  LdapSettings,
  ProviderRules,
} from '../../../../src/coordinator/sessions/providers/provider-settings.js'
import type { OpenDatabase } from '../../../support/databases.js'
import { GROUPS, LdapServer, PEOPLE, READER } from '../../../support/ldap-server.js'
import { openSignInScene, type SignInScene, type Visitor } from '../scene.js'
import { STRICT } from './settings.js'

type Given = Partial<Omit<LdapSettings, 'rules'>> & { rules?: Partial<ProviderRules> }

/** The settings of a directory named `corp`. */
export function directory(
  server: Pick<LdapServer, 'tlsUrl' | 'authority'>,
  { rules, ...given }: Given = {},
): LdapSettings {
  return {
    kind: 'ldap',
    name: 'corp',
    label: 'Corp',
    urls: [server.tlsUrl],
    startTls: false,
    authorities: server.authority,
    timeout: 5000,
    account: READER,
    base: PEOPLE,
    userFilter: '(objectClass=inetOrgPerson)',
    attributes: { username: 'uid', name: 'cn', email: 'mail', id: 'entryUUID' },
    isEmailVerified: false,
    groups: {
      base: GROUPS,
      filter: '(objectClass=groupOfNames)',
      name: 'cn',
      member: 'member',
      nested: 'no',
    },
    maxBlockedPercent: 20,
    ...given,
    rules: { ...STRICT, ...rules },
  }
}

export interface DirectoryScene extends SignInScene {
  server: LdapServer
  /** Sends the form of the directory. */
  signIn: (
    visitor: Visitor,
    fields: { username: string; password: string },
  ) => Promise<LightMyRequestResponse>
  /** Sends the form that asks a visitor who is signed in, with the username and password. */
  send: (
    visitor: Visitor,
    purpose: 'link' | 'confirm' | 'try',
    fields?: { username: string; password: string },
  ) => Promise<LightMyRequestResponse>
}

/** A coordinator with the people of the sign-in scene, and a directory `corp`. */
export async function openDirectoryScene(
  given: Given = {},
  { open, server }: { open?: OpenDatabase; server?: LdapServer } = {},
): Promise<DirectoryScene> {
  const running = server ?? (await LdapServer.start())
  const settings = { isAutomatic: false, providers: [directory(running, given)] }
  const scene = await openSignInScene({ settings: { signIn: settings }, ...(open && { open }) })
  return Object.assign(scene, {
    server: running,
    call: scene.call.bind(scene),
    signIn: async (visitor: Visitor, fields: { username: string; password: string }) => {
      await visitor.get('/users/sign_in?tab=provider%3Acorp')
      return visitor.submit('/users/sign_in', fields)
    },
    send: (visitor: Visitor, purpose: string, fields?: { username: string; password: string }) => {
      const token = csrfTokenOf(visitor.cookies.get('switchyard_session') ?? '')
      return visitor.post('/users/auth/corp', { purpose, authenticity_token: token, ...fields })
    },
  })
}
