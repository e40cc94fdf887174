import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

/** A setting that the configuration of the coordinator gives. */
export const FixedSetting = Type.Object({
  name: described(Type.String(), 'Name of the setting.'),
  key: described(Type.String(), 'Its key in the configuration.'),
})
export type FixedSetting = Static<typeof FixedSetting>
