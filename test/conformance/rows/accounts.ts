import { ECDSA_KEY, ED25519_KEY, RSA_KEY } from '../../coordinator/accounts/users/example-keys.js'
import { absent, type Calls, FORBIDDEN, type Place, type ResourceRow } from './row.js'

/** Users with their keys, addresses and tokens; groups and projects (API, A13, C1, D, H). */
export function accountRows(place: Place): ResourceRow[] {
  return [users(), ownKeys(), ownEmails(), keysOf(place), emailsOf(place), impersonationTokens(place)]
}

function users(): ResourceRow {
  const account = (username: string) => ({
    username,
    name: username,
    email: `${username}@example.net`,
    password: 'correct horse battery',
    skip_confirmation: true,
  })
  return {
    resource: 'users',
    of: 'instance',
    manager: 'users',
    key: 'id',
    // Without the ghost that keeps what removed users leave.
    filter: { exclude_internal: true },
    bodies: ['ina', 'ivo', 'ian'].map(account),
    change: { location: 'Paris' },
    wrong: {
      body: { ...account('ina'), email: 'other@example.net' },
      status: 409,
      message: 'Username has already been taken',
    },
    absent: absent('User'),
    gitbeaker: ({ Users }): Calls => ({
      create: ({ username, name, email }) =>
        Users.create({
          username: String(username),
          name: String(name),
          email: String(email),
          password: 'correct horse battery',
          skipConfirmation: true,
        }),
      all: (options) => Users.all({ excludeInternal: true, ...options }),
      show: (id) => Users.show(Number(id)),
      edit: (id) => Users.edit(Number(id), { location: 'Paris' }),
      remove: (id) => Users.remove(Number(id)),
    }),
  }
}

const KEYS = {
  key: 'id',
  absent: absent('Key'),
  bodies: [ED25519_KEY.line, RSA_KEY, ECDSA_KEY].map((key, index) => ({ title: `key ${index}`, key })),
  wrong: {
    body: { title: 'x', key: ED25519_KEY.line },
    status: 400,
    message: { fingerprint_sha256: ['has already been taken'] },
  },
}

function ownKeys(): ResourceRow {
  return {
    resource: "one's own keys",
    of: 'me',
    manager: 'keys',
    ...KEYS,
    gitbeaker: ({ UserSSHKeys }): Calls => ({
      create: ({ title, key }) => UserSSHKeys.create(String(title), String(key)),
      all: () => UserSSHKeys.all(),
      show: (id) => UserSSHKeys.show(Number(id)),
      remove: (id) => UserSSHKeys.remove(Number(id)),
    }),
  }
}

function keysOf({ user }: Place): ResourceRow {
  return {
    resource: 'keys of a user',
    of: 'user',
    manager: 'keys',
    ...KEYS,
    gitbeaker: ({ UserSSHKeys }): Calls => ({
      create: ({ title, key }) => UserSSHKeys.create(String(title), String(key), { userId: user }),
      all: (options) => UserSSHKeys.all({ userId: user, ...options }),
      show: (id) => UserSSHKeys.show(Number(id), { userId: user }),
      remove: (id) => UserSSHKeys.remove(Number(id), { userId: user }),
    }),
  }
}

const EMAILS = {
  key: 'id',
  absent: absent('Email'),
  bodies: ['a', 'b', 'c'].map((name) => ({ email: `${name}@work.example` })),
  wrong: {
    body: { email: 'a@work.example' },
    status: 400,
    message: { email: ['has already been taken'] },
  },
}

function ownEmails(): ResourceRow {
  return {
    resource: "one's own addresses",
    of: 'me',
    manager: 'emails',
    ...EMAILS,
    gitbeaker: ({ UserEmails }): Calls => ({
      create: ({ email }) => UserEmails.create(String(email)),
      all: () => UserEmails.all(),
      show: (id) => UserEmails.show(Number(id)),
      remove: (id) => UserEmails.remove(Number(id)),
    }),
  }
}

function emailsOf({ user }: Place): ResourceRow {
  return {
    resource: 'addresses of a user',
    of: 'user',
    manager: 'emails',
    ...EMAILS,
    readable: false,
    hidden: FORBIDDEN,
    gitbeaker: ({ UserEmails }): Calls => ({
      create: ({ email }) => UserEmails.create(String(email), { userId: user }),
      all: (options) => UserEmails.all({ userId: user, ...options }),
      remove: (id) => UserEmails.remove(Number(id), { userId: user }),
    }),
  }
}

function impersonationTokens({ user }: Place): ResourceRow {
  return {
    resource: 'impersonation tokens',
    of: 'user',
    manager: 'impersonationtokens',
    key: 'id',
    hidden: FORBIDDEN,
    filter: { state: 'active' },
    gone: null,
    bodies: ['a', 'b', 'c'].map((name) => ({ name, scopes: ['api'] })),
    wrong: {
      body: { name: 'x', scopes: ['api'], expires_at: '2001-01-01' },
      status: 400,
      message: { expires_at: ["can't be in the past"] },
    },
    gitbeaker: ({ UserImpersonationTokens }): Calls => ({
      create: ({ name, expires_at }) =>
        UserImpersonationTokens.create(user, String(name), ['api'], {
          ...(typeof expires_at === 'string' ? { expiresAt: expires_at } : {}),
        }),
      all: (options) => UserImpersonationTokens.all(user, { state: 'active', ...options }),
      show: (id) => UserImpersonationTokens.show(user, Number(id)),
      remove: (id) => UserImpersonationTokens.remove(user, Number(id)),
    }),
  }
}
