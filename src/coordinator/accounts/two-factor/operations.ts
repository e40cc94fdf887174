import type { Caller, CallerSession, User } from '../../access/caller.js'
import { apiError, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { enrolmentDeadline } from './demand.js'
import {
  addPasskey,
  completeTotp,
  type FactorDeps,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  startTotp,
  turnOff,
} from './factors.js'
import { readRegistration, registrationOptions, relyingPartyOf } from './passkeys.js'
import {
  AddPasskey,
  CredentialOptions,
  GivenCode,
  NewPasskeyRecord,
  NewTotpRecord,
  PasskeyNumber,
  PasskeyRecord,
  RecoveryCodes,
  RenamePasskey,
  TwoFactorRecord,
} from './schema.js'
import { countRecoveryCodes, findTotpFactor, listPasskeys, type Passkey, renamePasskey } from './store.js'

/** Attempts to set up a factor, of a user in a minute. */
const PER_MINUTE = 30

/**
 * The second factors of the current user. They are changed in a browser session whose user has just proven who they are,
 * with the second factor too if there is one: a token that was stolen, or a browser that was left open, changes none.
 */
export function twoFactorOperations(deps: FactorDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /user/two_factor', {
      summary: 'Describe the two-factor authentication of the current user',
      access: 'user',
      responses: { 200: TwoFactorRecord },
      run: ({ user }) => describe(deps, user),
    }),
    operation('DELETE /user/two_factor', {
      summary: 'Turn two-factor authentication off, in a browser session',
      access: 'user',
      needsConfirmation: true,
      responses: { 204: NoBody },
      run: async ({ user, caller }) => {
        needSession(caller)
        await turnOff(database, user.id)
        return respond(204)
      },
    }),
    operation('POST /user/two_factor/totp', {
      summary: 'Begin to set up an authenticator app, in a browser session',
      access: 'user',
      needsConfirmation: true,
      limit: { perMinute: PER_MINUTE },
      responses: { 201: NewTotpRecord },
      run: async ({ user, caller }) => {
        needSession(caller)
        const { secret, address, svg } = await startTotp(deps, user)
        return respond(201, { secret, address, qr_code: svg })
      },
    }),
    operation('POST /user/two_factor/totp/confirm', {
      summary: 'Finish to set up an authenticator app with its first code, in a browser session',
      access: 'user',
      params: GivenCode,
      needsConfirmation: true,
      limit: { perMinute: PER_MINUTE },
      responses: { 201: RecoveryCodes },
      run: async ({ user, caller, params }) => {
        const codes = await completeTotp(deps, { user, session: needSession(caller) }, params.code)
        return respond(201, { recovery_codes: codes })
      },
    }),
    operation('DELETE /user/two_factor/totp', {
      summary: 'Remove the authenticator app, in a browser session',
      access: 'user',
      needsConfirmation: true,
      responses: { 204: NoBody },
      run: async ({ user, caller }) => {
        needSession(caller)
        await removeTotp(database, user.id)
        return respond(204)
      },
    }),
    operation('POST /user/two_factor/recovery_codes', {
      summary: 'Replace the recovery codes, in a browser session',
      access: 'user',
      needsConfirmation: true,
      limit: { perMinute: PER_MINUTE },
      responses: { 201: RecoveryCodes },
      run: async ({ user, caller }) => {
        needSession(caller)
        return respond(201, { recovery_codes: await renewRecoveryCodes(database, user.id) })
      },
    }),
    operation('POST /user/two_factor/passkeys/options', {
      summary: 'Create the options for a new passkey, in a browser session',
      access: 'user',
      needsConfirmation: true,
      changesNothing: true,
      limit: { perMinute: PER_MINUTE },
      responses: { 200: CredentialOptions },
      run: async ({ user, caller }) => registrationOptions(deps, user, purposeOf(needSession(caller))),
    }),
    operation('POST /user/two_factor/passkeys', {
      summary: 'Register a passkey, in a browser session',
      access: 'user',
      params: AddPasskey,
      needsConfirmation: true,
      limit: { perMinute: PER_MINUTE },
      responses: { 201: NewPasskeyRecord },
      run: async ({ user, caller, params }) => {
        const session = needSession(caller)
        const registered = await readRegistration(deps, params.credential, purposeOf(session))
        const values = { ...registered, name: params.name, created_at: Date.now(), last_used_at: null }
        const { passkey, recoveryCodes } = await addPasskey(database, { user, session }, values)
        return respond(201, { passkey: presentPasskey(passkey), recovery_codes: recoveryCodes })
      },
    }),
    operation('PUT /user/two_factor/passkeys/:passkey_id', {
      summary: 'Rename a passkey, in a browser session',
      access: 'user',
      params: RenamePasskey,
      responses: { 200: PasskeyRecord },
      run: async ({ user, caller, params: { passkey_id: id, name } }) => {
        needSession(caller)
        const passkey = await renamePasskey(database, { id, userId: user.id, name })
        if (!passkey) throw notFound('Passkey')
        return presentPasskey(passkey)
      },
    }),
    operation('DELETE /user/two_factor/passkeys/:passkey_id', {
      summary: 'Remove a passkey, in a browser session',
      access: 'user',
      params: PasskeyNumber,
      needsConfirmation: true,
      responses: { 204: NoBody },
      run: async ({ user, caller, params }) => {
        needSession(caller)
        await removePasskey(database, user.id, params.passkey_id)
        return respond(204)
      },
    }),
  ]
}

async function describe({ database, externalUrl }: FactorDeps, { id }: User): Promise<TwoFactorRecord> {
  const factor = await findTotpFactor(database, id)
  const passkeys = await listPasskeys(database, id)
  const hasApp = factor !== undefined && factor.confirmed_at !== null
  return {
    enabled: hasApp || passkeys.length > 0,
    totp_enabled: hasApp,
    passkeys: passkeys.map(presentPasskey),
    recovery_codes_left: await countRecoveryCodes(database, id),
    required_from: isoTimeOrNull(await enrolmentDeadline(database, id)),
    offers_passkeys: relyingPartyOf(externalUrl) !== undefined,
  }
}

function presentPasskey({ id, name, created_at, last_used_at }: Passkey): PasskeyRecord {
  return { id, name, created_at: isoTime(created_at), last_used_at: isoTimeOrNull(last_used_at) }
}

function purposeOf({ id }: CallerSession) {
  return `register session ${id}` as const
}

/** Throws 403 for a caller with a token. */
function needSession(caller: Caller): CallerSession {
  const session = caller.kind === 'user' ? caller.session : undefined
  if (!session) throw apiError('session_required')
  return session
}
