import { Type } from 'typebox'

import { described, flag } from '../parameters/described.js'
import { NullableText } from '../parameters/types.js'

/** The client from which an issue or a snippet was created. */
export const UserAgentDetail = Type.Object({
  user_agent: described(NullableText, 'Program that created it; null if it did not say.'),
  ip_address: described(NullableText, 'Address from which it was created.'),
  akismet_submitted: flag('Whether it was reported as spam; always false.'),
})
