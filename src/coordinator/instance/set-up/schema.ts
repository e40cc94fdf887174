import { type Static, Type } from 'typebox'

import { SET_UP_STEPS } from '../../database/stores/set-up-store.js'
import { described, flag, optional, text } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

const StepName = described(OneOf(...SET_UP_STEPS), 'Name of the step.')

/** How far an administrator has set up the installation. */
export const SetUp = Type.Object({
  finished: flag('Whether an administrator has ended the set-up, or the installation is older than it.'),
  sends_mails: flag('Whether the settings name a mail server.'),
  steps: Type.Array(
    Type.Object({
      name: StepName,
      state: described(
        OneOf('done', 'skipped', 'open'),
        'Whether the step is done, was skipped, or is open.',
      ),
      message: text('What is the case, and what to do about it.'),
    }),
    { description: 'Steps in their order.' },
  ),
})
export type SetUp = Static<typeof SetUp>

export const NewSetUpState = Type.Object({
  finished: flag('Whether the set-up is ended; pages do not lead to it any more.'),
})

export const NewStepState = Type.Object({
  step: StepName,
  skipped: flag('Whether the step is skipped.'),
})

export const TestMail = Type.Object({
  to: optional(
    Type.String({ minLength: 3, maxLength: 254 }),
    'Address of the recipient; that of the current user by default.',
  ),
})

export const SentTestMail = Type.Object({ to: text('Address of the recipient.') })
